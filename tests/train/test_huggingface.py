"""Rewriters of the Hugging Face library: in, through the guard, out, in again; malformed ones are one sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tiny_huggingface import POSITIONS, make_folder

from rewriter.cli.main import main
from rewriter.errors import GenderFairError, ModelError, UsageError
from rewriter.model.directory import front_matter_language, load_info
from rewriter.model.hub import front_matter
from rewriter.model.huggingface import CONVERTED, HuggingFaceAnswers, most_tokens, read_prompt
from rewriter.pipeline import Rewriter
from train.export.huggingface import export_huggingface

KINDS = ("marian", "t5", "bart", "gpt2")
TEXTS = ["She knows the way and he gave his tools to her.", "Rain fell.", "", "She left. " * 60, "Der Ärger: ☂"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("huggingface")
    return {kind: make_folder(kind, base / kind) for kind in (*KINDS, "bert")}


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    path = tmp_path / "asks.txt"
    path.write_text("Rewrite: {text}\n", encoding="utf-8")
    return path


def options_of(kind: str, prompt: Path) -> dict[str, Any]:
    return {"lang": "en", **({"prompt": str(prompt)} if kind == "gpt2" else {})}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_goes_in_comes_out_and_goes_in_again(
    folders: dict[str, Path], kind: str, prompt: Path, tmp_path: Path
) -> None:
    """Random weights write nonsense: behind the guard nothing is lost; with the guard off their answer is seen."""
    rewriter = Rewriter.from_pretrained(folders[kind], **options_of(kind, prompt))
    results = rewriter.rewrite(TEXTS, return_edits=True)
    assert [len(r.text.split()) for r in results] == [len(text.split()) for text in TEXTS]
    raw = Rewriter.from_pretrained(folders[kind], guard="off", gate=False, **options_of(kind, prompt)).rewrite(TEXTS)
    assert raw[0] != TEXTS[0]
    saved = rewriter.save_pretrained(tmp_path / "saved", licence="apache-2.0")
    again = Rewriter.from_pretrained(saved, guard="off", gate=False)  # language and prompt are in it now
    assert again.rewrite(TEXTS) == raw
    assert (saved / "model.safetensors").read_bytes() == (folders[kind] / "model.safetensors").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_an_export_answers_as_the_folder_does(
    folders: dict[str, Path], kind: str, prompt: Path, tmp_path: Path
) -> None:
    words = ["export", str(folders[kind]), "-o", str(tmp_path / "model"), "--lang", "en", "--quantization", "float32"]
    assert main([*words, *(["--prompt", str(prompt)] if kind == "gpt2" else [])]) == 0
    model = tmp_path / "model"
    assert {"rewriter.json", "README.md", "model.safetensors", "config.json"} <= {p.name for p in model.iterdir()}
    assert (model / CONVERTED / "model.bin").is_file()
    assert load_info(model).target == "huggingface"
    texts = ["she knows the way", "he gave his tools"]
    converted = HuggingFaceAnswers(model)
    plain = HuggingFaceAnswers(folders[kind], prompt=prompt if kind == "gpt2" else None)
    pairs = list(zip(converted.answer(texts), plain.answer(texts), strict=True))
    assert len(pairs) == 2
    assert all(alike(one, other) for one, other in pairs), pairs
    saved = Rewriter.from_pretrained(model).save_pretrained(tmp_path / "saved")
    assert HuggingFaceAnswers(saved).answer(texts) == converted.answer(texts)


def alike(one: str, other: str) -> bool:
    """Return True for equal answers; random weights never end one, and the engines count its last token differently."""
    return len(one) > 5 and (one.startswith(other[:-1]) or other.startswith(one[:-1]))


@pytest.mark.slow
def test_eight_bits_and_the_suite(folders: dict[str, Path], tmp_path: Path) -> None:
    export_huggingface(folders["t5"], output=tmp_path / "t5", lang="en")
    sets = tmp_path / "sets"
    sets.mkdir()
    for end in ("src", "ref"):
        (sets / f"own.{end}").write_text("She left.\n", encoding="utf-8")
    assert main(["eval", "suite", str(tmp_path / "t5"), "--sets", str(sets), "--ablate", "--bootstrap", "10"]) == 0


@pytest.mark.parametrize("kind", ["marian", "bart"])
def test_a_sentence_without_room_comes_back(folders: dict[str, Path], kind: str) -> None:
    long = "she knows " * POSITIONS
    assert HuggingFaceAnswers(folders[kind]).answer([long]) == [long]


def sized(tokenizer: Any, tokens: int) -> str:
    """Return a text of so many tokens, the mark at its end among them."""
    text = "she"
    while len(tokenizer(text)["input_ids"]) < tokens:
        text += " she" if len(tokenizer(f"{text} she")["input_ids"]) <= tokens else "s"
    assert len(tokenizer(text)["input_ids"]) == tokens
    return text


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["torch", "ctranslate2"])
@pytest.mark.parametrize("kind", ["marian", "bart", "gpt2"])
def test_at_the_limit_of_its_positions_a_model_answers_or_gives_back(
    folders: dict[str, Path], kind: str, engine: str, prompt: Path, tmp_path: Path
) -> None:
    """A token less than there are places, as many, one more: no error, and beyond the limit the text itself."""
    folder, asked = folders[kind], prompt if kind == "gpt2" else None
    if engine == "ctranslate2":
        folder = export_huggingface(folder, output=tmp_path / "model", lang="en", prompt=asked, quantization="float32")
    answers = HuggingFaceAnswers(folder, prompt=asked if engine == "torch" else None)
    tokenizer = answers._tokenizer
    texts = [sized(tokenizer, POSITIONS + more) for more in (-2, -1, 0, 1, 2)]
    found = answers.answer(texts)
    assert len(found) == len(texts)
    assert found[3:] == texts[3:]
    if kind != "gpt2":  # the prompt and the answer share its places with the text
        assert found[0] != texts[0], "there is room for this one"
    assert answers.answer(["she knows"])[0] != "she knows", "and the model works on"
    whole = Rewriter.from_pretrained(folder, guard="off", gate=False, lang="en", **({"prompt": asked} if asked else {}))
    assert len(whole.rewrite(texts)) == len(texts)


# ---------------------------------------------------------------- malformed ones


def without(name: str) -> Any:
    return lambda folder: [path.unlink() for path in folder.glob(name)]


def cut_off(folder: Path) -> None:
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def of_type(model_type: str) -> Any:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps({**config, "model_type": model_type}), encoding="utf-8")

    return change


#: kind, what is done to the folder, what the sentence says
MALFORMED = [
    ("t5", without("model.safetensors"), "holds no model.safetensors; copy it again"),
    ("t5", pickled, "pickled, which may run code; save them as safetensors"),
    ("t5", cut_off, "cannot be"),
    ("bart", without("tokenizer*"), "holds no tokenizer"),
    ("bart", of_type("abacus"), "a model of type 'abacus' writes no text"),
    ("bert", lambda folder: None, "a model of type 'bert' writes no text"),
    ("gpt2", lambda folder: None, "a causal language model needs a prompt"),
]


@pytest.mark.parametrize(("kind", "damage", "says"), MALFORMED)
@pytest.mark.parametrize("way", ["export", "from_pretrained"])
def test_what_is_malformed_is_refused_in_a_sentence(
    folders: dict[str, Path], tmp_path: Path, kind: str, damage: Any, says: str, way: str
) -> None:
    folder = Path(shutil.copytree(folders[kind], tmp_path / kind))
    damage(folder)
    with pytest.raises(GenderFairError, match=says) as caught:
        if way == "export":
            export_huggingface(folder, output=tmp_path / "out", lang="en")
        else:
            Rewriter.from_pretrained(folder, lang="en")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "says"), [({}, "does not say its language"), ({"lang": "xx"}, "there is no grammar for its language")]
)
def test_the_language_must_be_known(folders: dict[str, Path], options: dict[str, str], says: str) -> None:
    with pytest.raises(ModelError, match=says):
        Rewriter.from_pretrained(folders["t5"], **options)


@pytest.mark.parametrize("text", ["no place", "{text} and {text}"])
def test_a_prompt_has_one_place(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"holds \{text\} once"):
        read_prompt(tmp_path / "p.txt")


@pytest.mark.parametrize(
    ("limit", "positions", "most"), [(10**30, 64, 64), (32, 64, 32), (10**30, None, 512), (512, -1, 512)]
)
def test_the_length_is_what_tokenizer_and_positions_allow(limit: int, positions: int | None, most: int) -> None:
    config = SimpleNamespace(max_position_embeddings=positions)
    assert most_tokens(SimpleNamespace(model_max_length=limit), config) == most


# ---------------------------------------------------------------- cards and the hub

#: front matter, the language that it says
CARDS = [
    ("---\nlanguage: de\n---\n", "de"),
    ("---\nlicense: mit\nlanguage:\n- en\n---\n", "en"),
    ("---\nlanguage:\n- en\n- de\n---\n", None),
    ("---\nlicense: mit\n---\nlanguage: de\n", None),
    ("# A model\nlanguage: de\n", None),
]


@pytest.mark.parametrize(("card", "lang"), CARDS)
def test_a_card_says_its_language(tmp_path: Path, card: str, lang: str | None) -> None:
    (tmp_path / "README.md").write_text(card, encoding="utf-8")
    assert front_matter_language(tmp_path / "README.md") == lang


def test_the_front_matter_is_yaml_with_language_licence_and_metrics(tmp_path: Path) -> None:
    import yaml

    saved = Rewriter.from_pretrained("en").save_pretrained(tmp_path / "out", licence="apache-2.0")
    matter = yaml.safe_load((saved / "README.md").read_text(encoding="utf-8").split("---")[1])
    assert (matter["language"], matter["license"], matter["metrics"]) == ("en", "apache-2.0", ["wer"])
    results = matter["model-index"][0]["results"]
    assert [r["metrics"][0]["type"] for r in results] == ["wer"] * len(load_info("rewriter/bundled/en").scores)
    assert front_matter_language(saved / "README.md") == "en"
    assert Rewriter.from_pretrained(saved).rewrite("She left.") == "They left."
    assert "license" not in front_matter(load_info(saved))


def test_a_folder_that_holds_something_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        Rewriter.from_pretrained("en").save_pretrained(tmp_path)


def test_a_hub_name_is_downloaded_only_with_a_revision(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    asked: list[tuple[str, str]] = []

    def download(name: str, *, revision: str, allow_patterns: list[str]) -> str:
        asked.append((name, revision))
        assert not any(pattern.endswith((".py", ".pt")) for pattern in allow_patterns)
        return str(folders["t5"])

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    with pytest.raises(ModelError, match="pin it with revision="):
        Rewriter.from_pretrained("someone/model", lang="en")
    assert not asked
    assert Rewriter.from_pretrained("someone/model", lang="en", revision="0a1b2c").info.target == "huggingface"
    assert asked == [("someone/model", "0a1b2c")]


def test_a_model_is_uploaded_with_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    sent: dict[str, Any] = {}

    class Api:
        def create_repo(self, name: str, *, private: bool, exist_ok: bool) -> None:
            sent["name"], sent["private"] = name, private

        def upload_folder(self, *, repo_id: str, folder_path: str, revision: str | None, commit_message: str) -> Any:
            sent["files"] = sorted(path.name for path in Path(folder_path).iterdir())
            return SimpleNamespace(commit_url="somewhere")

    monkeypatch.setattr(huggingface_hub, "HfApi", Api)
    assert Rewriter.from_pretrained("en").push_to_hub("someone/en", private=True) == "somewhere"
    assert (sent["name"], sent["private"]) == ("someone/en", True)
    assert {"README.md", "rewriter.json", "model.bin"} <= set(sent["files"])
