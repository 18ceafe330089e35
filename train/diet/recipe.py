"""What a recipe of ``kind: diet`` says: data, swap, classifier, scores, diets, sets for measuring, figures.

Zayed et al. (2023), "Deep Learning on a Healthy Data Diet", sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from augment.diet.core import RANKED, Diet
from augment.diet.rule import Rule
from eval.example_scores.run import ScoreOptions
from eval.fairness.templates import TemplateOptions
from rewriter.errors import RecipeError, UsageError
from rewriter.options import folder_name
from rewriter.runs.recipes import build, read_values
from train.classifier.config import ClassifierConfig

VANILLA = "vanilla"
#: keys of the classifier that the recipe decides itself
_DECIDED = ("train", "dev", "test", "text", "label", "positive", "name")
#: sets that every recipe has: the test table as it is, and with its genders flipped
TEST, FLIPPED_TEST = "test", "test-flipped"


@dataclass(frozen=True)
class DietData:
    """The labelled tables (CSV, TSV, JSON lines, Parquet, also packed).

    Attributes:
        train: training examples.
        dev: for early stopping and the choice of the best epoch.
        test: for performance, and kept and flipped for fairness on pairs.
        text: column of texts.
        label: column of classes.
        positive: class that counts as positive, all others as negative; empty where the classes are 0 and 1.
        root: folder that ``${data.root}`` stands for; GENDER_FAIR_DATA by default.
    """

    train: str
    dev: str
    test: str
    text: str = "text"
    label: str = "label"
    positive: str = ""
    root: Path | None = None


@dataclass(frozen=True)
class SwapSection:
    """Where the counterfactuals come from.

    Attributes:
        lang: language of the swapper.
        flipped: table with the flipped training texts, row by row, in place of what the swapper makes of them; the
            test texts are always swapped.
        text: column of the texts in ``flipped``; empty for that of the data.
    """

    lang: str = "en"
    flipped: str = ""
    text: str = ""


@dataclass(frozen=True)
class VocabularySection:
    """A WordPiece vocabulary of the training texts and their counterfactuals, which all diets share.

    Attributes:
        vocab_size: pieces.
        lower: does not tell capitals.
    """

    vocab_size: int = 8000
    lower: bool = True


@dataclass(frozen=True)
class ScoresSection:
    """Scores of the training examples, by the vanilla classifiers of all seeds.

    Attributes:
        names: which of GE, EL2N, GraNd, forget, stereotype.
        early: the epoch that they are taken at (not forget, which reads all epochs).
        batch: texts at a time.
        gradient_batch: texts at a time for GraNd.
    """

    names: tuple[str, ...] = ("GE",)
    early: int = 1
    batch: int = 64
    gradient_batch: int = 8


@dataclass(frozen=True)
class AgreementSection:
    """Compares scores of the training examples with other people's of the same rows, by rank.

    Attributes:
        table: theirs: columns whose names end in GE, EL2N, GraNd or forget (or as Zayed et al. published them).
        flipped: their flipped texts, row by row: GE is scored with these too; empty for none.
        text: column of the texts in ``flipped``; empty for that of the data.
        names: scores to compare.
    """

    table: str
    flipped: str = ""
    text: str = ""
    names: tuple[str, ...] = ("GE", "EL2N", "GraNd", "forget")


@dataclass(frozen=True)
class DietSection:
    """One diet.

    Attributes:
        diet: name of the diet; by default that of the section.
        factual: percent of factual examples (a in the paper).
        counterfactual: percent of counterfactual examples (b in the paper).
        score: what ranks.
        changed_only: counterfactuals that are the same as their text are never taken.
        seed: of everything random in it.
    """

    diet: str = ""
    factual: float = 40.0
    counterfactual: float = 40.0
    score: str = "GE"
    changed_only: bool = False
    seed: int = 1


@dataclass(frozen=True)
class GridSection:
    """A diet with all combinations of shares and scores; each is a diet of its own, ``NAME-a-b`` or ``NAME-a-b-SCORE``.

    Attributes:
        diet: name of the diet, a ranked one; by default that of the section.
        factual: percents of factual examples (a; the paper's choice: 30, 40, 50; 100 for its b-sweep).
        counterfactual: percents of counterfactual examples (b).
        scores: what ranks; the name of a single one is left out of the diets' names.
        changed_only: counterfactuals that are the same as their text are never taken.
        seed: of everything random in them.
    """

    diet: str = ""
    factual: tuple[float, ...] = (30.0, 40.0, 50.0)
    counterfactual: tuple[float, ...] = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0)
    scores: tuple[str, ...] = ("GE",)
    changed_only: bool = False
    seed: int = 1

    def diets(self, name: str) -> dict[str, DietSection]:
        """Return the diets of the grid by name."""
        found = {}
        for a in self.factual:
            for b in self.counterfactual:
                for score in self.scores:
                    key = f"{name}-{a:g}-{b:g}" + (f"-{score}" if len(self.scores) > 1 else "")
                    found[key] = DietSection(self.diet or name, a, b, score, self.changed_only, self.seed)
        return found


@dataclass(frozen=True)
class SetSection:
    """A set for measuring fairness: a published template set, or one made of our own frames.

    Attributes:
        published: table with texts, groups and labels; figures are on groups.
        identities: terms that name its groups where it has no such column.
        only_identities: texts with none of these terms are left out; else they are an error.
        groups: compare these groups only.
        sample: so many of its rows, drawn by lot; 0 for all.
        pairs: so many pairs of our own; figures are on pairs.
        seed: of the choice of rows or pairs.
    """

    published: str = ""
    identities: list[str] = field(default_factory=list)
    only_identities: bool = False
    groups: list[str] = field(default_factory=list)
    sample: int = 0
    pairs: int = 0
    seed: int = 1

    def __post_init__(self) -> None:
        if bool(self.published) == bool(self.pairs):
            raise UsageError("give either 'published', a table, or 'pairs', a number of pairs to make")


@dataclass(frozen=True)
class FairnessSection:
    """Figures and the choice of the best diet.

    Attributes:
        samples: bootstrap samples.
        seed: of the resampling.
        threshold: least score of a positive prediction.
        against: the diets that the others are compared with; the best one is chosen against the first.
        set: the set whose figures choose the best diet.
        objective: the figure to make large.
        loss: percent of that diet's AUC on the test table that may be lost.
        log: file to which every measurement is appended, beside the one in the stage's folder.
    """

    samples: int = 1000
    seed: int = 12345
    threshold: float = 0.5
    against: tuple[str, ...] = (VANILLA,)
    set: str = TEST
    objective: str = "DP"
    loss: float = 3.0
    log: Path | None = None

    def rule(self) -> Rule:
        """Return the rule that chooses the best diet."""
        return Rule(self.objective, "AUC", self.loss / 100, baseline=self.against[0])


@dataclass(frozen=True)
class DietRecipe:
    """From a labelled table to a table of diets.

    Attributes:
        name: of the recipe and the run's folder.
        data: the tables.
        classifier: options of :class:`train.classifier.config.ClassifierConfig` but for tables and columns.
        diets: by name; vanilla is always trained, for the scores come from it.
        kind: ``diet``.
        swap: where the counterfactuals come from.
        vocabulary: for a classifier with random weights.
        scores: of the training examples.
        sets: for measuring fairness, beside the test table.
        fairness: figures.
        agreement: other people's scores to compare with.
        grid: diets with several shares, by name; they stand behind those of ``diets``.
        restart_below: a training whose best AUC on the development table is lower has collapsed (all texts get one
            class, which looks perfectly fair); it is done again with seed + 1000, for every diet alike. 0 for never.
    """

    name: str
    data: DietData
    classifier: dict[str, Any]
    diets: dict[str, DietSection]
    kind: str = "diet"
    swap: SwapSection = field(default_factory=SwapSection)
    vocabulary: VocabularySection = field(default_factory=VocabularySection)
    scores: ScoresSection = field(default_factory=ScoresSection)
    sets: dict[str, SetSection] = field(default_factory=dict)
    fairness: FairnessSection = field(default_factory=FairnessSection)
    agreement: AgreementSection | None = None
    restart_below: float = 0.0
    grid: dict[str, GridSection] = field(default_factory=dict)

    def __post_init__(self) -> None:
        folder_name(name=self.name)
        for reason in _mistakes(self):
            raise UsageError(reason)

    @property
    def target(self) -> str:
        """What a run makes."""
        return "classifier"

    @property
    def sections(self) -> dict[str, DietSection]:
        """All diets by name, those of the grids with them."""
        made = {key: diet for name, grid in self.grid.items() for key, diet in grid.diets(name).items()}
        return {**self.diets, **made}

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of all diets in the order of training: vanilla is the first."""
        return (VANILLA, *(name for name in self.sections if name != VANILLA))

    def diet(self, name: str) -> Diet:
        """Return the diet of a section."""
        section = self.sections.get(name, DietSection())
        kind = section.diet or name
        shares = (section.factual / 100, section.counterfactual / 100) if kind in RANKED else (1.0, 1.0)
        return Diet(kind, *shares, score=section.score, changed_only=section.changed_only, seed=section.seed)

    def classifier_config(self, **tables: Any) -> ClassifierConfig:
        """Return the classifier's options with its tables."""
        own = {"text": "text", "label": "label", "positive": "1"}
        values = {"train": "", "dev": "", **own, **tables, **self.classifier}
        return build(ClassifierConfig, values, where=self.name, path="classifier")

    def score_options(self, *names: str) -> ScoreOptions:
        """Return the options of the scores that the diets need, or of other ones."""
        section = self.scores
        numbers = (section.early, section.batch, section.gradient_batch)
        length = self.classifier_config().max_length
        return ScoreOptions(names or section.names, "text", "label", "counterfactual", *numbers, max_length=length)


def template_options(recipe: DietRecipe, section: SetSection) -> TemplateOptions:
    """Return the options of a set that is made."""
    return TemplateOptions(lang=recipe.swap.lang, pairs=section.pairs, seed=section.seed)


def load_diet_recipe(path: Path, *, overrides: Iterable[str] = ()) -> DietRecipe:
    """Read a recipe.

    Args:
        path: a YAML file.
        overrides: ``"KEY=VALUE"``; keys by their dotted path, values in YAML.

    Raises:
        RecipeError: the file, a key or a value is wrong; the message names the key's path.
    """
    return build_diet_recipe(read_values(path, overrides=overrides), where=str(path))


def build_diet_recipe(values: Mapping[str, Any], *, where: str) -> DietRecipe:
    """Make the recipe of plain values.

    Raises:
        RecipeError: a key or value is wrong; the message names the key's path.
    """
    recipe = build(DietRecipe, values, where=where)
    try:
        recipe.score_options()
        if recipe.agreement:
            recipe.score_options(*recipe.agreement.names)
        recipe.fairness.rule()
        for section in recipe.sets.values():
            if section.pairs:
                template_options(recipe, section)
    except UsageError as error:
        raise RecipeError(f"{where}: {error}") from None
    return recipe


def _mistakes(recipe: DietRecipe) -> list[str]:
    """Return what does not go together."""
    found = [f"classifier.{key} is decided by the recipe; leave it out" for key in _DECIDED if key in recipe.classifier]
    if recipe.kind != "diet":
        found.append(f"'kind' must be diet, not '{recipe.kind}'")
    if not recipe.sections:
        found.append("'diets' names no diet")
    found += [f"sets.{name}: the name is taken" for name in (TEST, FLIPPED_TEST) if name in recipe.sets]
    figures = recipe.fairness
    if figures.set not in (TEST, *recipe.sets):
        found.append(f"fairness.set: there is no set '{figures.set}'; there are {', '.join((TEST, *recipe.sets))}")
    if not figures.against:
        found.append("fairness.against names no diet")
    found += [f"fairness.against: there is no diet '{name}'" for name in figures.against if name not in recipe.systems]
    return found + _bad_diets(recipe)


def _bad_diets(recipe: DietRecipe) -> list[str]:
    found, ranking = [], set()
    found += [
        f"grid.{name}: '{name}' is no diet with shares; name one of {', '.join(RANKED)} in 'diet'"
        for name, grid in recipe.grid.items()
        if (grid.diet or name) not in RANKED
    ]
    for name in recipe.sections:
        try:
            diet = recipe.diet(name)
        except UsageError as error:
            found.append(f"diets.{name}: {error}")
            continue
        ranking |= {diet.score} if diet.name in RANKED else set()
    missing = sorted(ranking - set(recipe.scores.names))
    return found + [f"scores.names lacks {name}, by which a diet ranks" for name in missing]
