"""Settings of German that commands offer as options."""

from __future__ import annotations

from rewriter.de.inflection import FORMS
from rewriter.language.settings import Preset, Setting

SETTINGS = (
    Setting(
        "form",
        FORMS[0],
        "German: how gender-fair words are written, Lehrer*in, Lehrer:in, Lehrer_in ... (default: star)",
        FORMS,
    ),
    Setting("normalise", False, "German: write gender-fair forms that are there already so, too"),
)

PRESETS = {
    # text that people read: who is named and what others said stays
    "publishing": Preset(
        policy={"scope": "generic", "places": ("quotations", "works", "honorifics", "deities")},
        settings={"version": "2"},
    ),
    # text that machines learn from: everybody, by the convention
    "corpus": Preset(policy={"marks": False}),
}
