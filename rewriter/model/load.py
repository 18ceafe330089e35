"""Load what a rewriter is made of: its language with the settings of model and user, and its proposer."""

from __future__ import annotations

from pathlib import Path

from lexicons.loader import TableError, read_table_file
from rewriter.errors import LexiconError, ModelError, UsageError
from rewriter.language.interface import Language, get_language, known_languages, known_settings, profile
from rewriter.language.without_rules import without_rules
from rewriter.model.deciders import CONSTANT, GRAMMAR, NETWORK
from rewriter.model.directory import EDITS, SEQ2SEQ, ModelInfo
from rewriter.model.guard import UNGUARDED, check_mode
from rewriter.model.huggingface import HUGGINGFACE
from rewriter.model.options import Options
from rewriter.model.proposer import Proposer

#: settings of languages among the options
_SETTINGS = ("reflexive", "form", "normalise", "nouns")


def model_language(info: ModelInfo, options: Options) -> Language:
    """Return the model's language with the settings that it knows, those of the model among them.

    Raises:
        UsageError: a setting is unknown, or the language has no rules here by which the guard could hold a model.
    """
    code, defaults = info.lang, Options()
    if code not in known_languages() and info.target in (SEQ2SEQ, HUGGINGFACE):
        if options.guard not in UNGUARDED:
            taught = "'learned' (changes that its training pairs hold), " if info.target == SEQ2SEQ else ""
            raise UsageError(
                f"the language '{code}' has no rules here that could check what the model '{info.name}' answers; use "
                f"it with the guard {taught}'covered' (answers that lost or repeat words are not taken), or 'off'"
            )
        return without_rules(code)
    known = known_settings(code)
    given = {name: getattr(options, name) for name in _SETTINGS} | {"extra_nouns": own_nouns(options.lexicon)}
    for name, value in given.items():
        if name not in known and value != getattr(defaults, name, ()):
            raise UsageError(f"'{name}' is no setting of the language '{code}', which has {', '.join(known) or 'none'}")
    settings = {name: value for name, value in given.items() if name in known}
    return get_language(code, **settings | info.settings.get("language", {}) | dict(options.settings))


def check_convention(options: Options, info: ModelInfo) -> None:
    """Refuse a convention that the model does not follow.

    Raises:
        UsageError: names what the model follows, or the conventions that are known.
    """
    if options.convention is None:
        return
    name, _, version = options.convention.partition("@")
    known = [info.convention, *(profile(code).convention for code in known_languages())]
    if name not in known:
        raise UsageError(f"unknown convention '{name}'; known: {', '.join(dict.fromkeys(known))}")
    if name != info.convention or (version and version != str(info.convention_version)):
        raise UsageError(
            f"the model '{info.name}' follows {info.convention}@{info.convention_version}, not {options.convention}"
        )


def own_nouns(path: str | None) -> tuple[dict[str, str], ...]:
    """Return the rows of a user's own noun table; none without a path.

    Raises:
        LexiconError: the file cannot be read, or lacks a column.
    """
    if path is None:
        return ()
    try:
        rows = read_table_file(path)
    except TableError as error:
        raise LexiconError(str(error)) from None
    for row in rows:
        if not row.get("gendered") or not row.get("fair"):
            raise LexiconError(
                f"{path}: a noun table has a header row with the columns 'gendered' and 'fair', filled in every row; "
                f"its columns are {', '.join(row)}"
            )
    return rows


def load_proposer(folder: Path, info: ModelInfo, language: Language, options: Options) -> Proposer:
    """Return what proposes edits by a model.

    Args:
        folder: the model directory.
        info: describes the model.
        language: with its settings.
        options: how the model is used.

    Raises:
        ModelError: the model cannot be read, or is of a kind that is not known here.
        UsageError: an unknown device.
    """
    if options.device not in ("cpu", "cuda", "auto"):
        raise UsageError(f"device must be cpu, cuda or auto, not '{options.device}'")
    if info.target != SEQ2SEQ or options.decides != NETWORK:
        check_mode(options.guard)
    if info.target == "grammar" or options.decides == GRAMMAR:
        from rewriter.model.grammar import GrammarProposer

        return GrammarProposer(language)
    constant = options.decides == CONSTANT
    if info.target == EDITS:
        from rewriter.model.constant import constant_edit_model
        from rewriter.model.edit_model import EditModel

        if constant:
            return constant_edit_model(folder, language, constants=options.constants, guard=options.guard)
        return EditModel.load(folder, language, device=options.device, threads=options.threads, guard=options.guard)
    if info.target == SEQ2SEQ:
        from rewriter.model.constant import FirstForms
        from rewriter.model.seq2seq import Seq2SeqModel

        if constant:
            return FirstForms(language, guard=options.guard)
        return Seq2SeqModel.load(
            folder,
            language,
            device=options.device,
            threads=options.threads,
            beam_size=options.beam_size,
            guard=options.guard,
            gate=options.gate,
        )
    if info.target == HUGGINGFACE:
        return _huggingface(folder, language, options)
    raise ModelError(f"{folder}: unknown target '{info.target}'")


def _huggingface(folder: Path, language: Language, options: Options) -> Proposer:
    from rewriter.model.constant import FirstForms
    from rewriter.model.huggingface import HuggingFaceAnswers
    from rewriter.model.seq2seq import AnswerProposer

    if options.decides == CONSTANT:
        return FirstForms(language, guard=options.guard)
    answers = HuggingFaceAnswers(
        folder,
        prompt=options.prompt,
        device=options.device,
        threads=options.threads,
        beam_size=options.beam_size,
    )
    return AnswerProposer(answers, language, guard=options.guard, gate=options.gate)
