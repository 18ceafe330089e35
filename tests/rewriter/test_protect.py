"""What is no running text, as cases: the protected span stands between ⟦ and ⟧."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter.policy import protect
from rewriter.policy.protect import protected_spans

PROTECTED = {
    "code span": "Call ⟦`he`⟧ first.",
    "code span of two ticks": "Call ⟦``she ` her``⟧ first.",
    "fenced block": "Look here\n⟦```python\nhe = she\n```⟧\nHe left.",
    "fence without an end": "Look here\n⟦~~~\nhe is\nshe is⟧",
    "HTML tags": "⟦<b>⟧He⟦</b>⟧ and ⟦<a title='his' href=x>⟧her⟦</a>⟧",
    "HTML code": "Use ⟦<code>he &amp; she</code>⟧ here.",
    "HTML comment": "He ⟦<!-- she\nhers -->⟧ left.",
    "URL": "See ⟦https://example.org/he?she=his#her⟧ for it.",
    "www": "See ⟦www.she.example⟧ for it.",
    "e-mail": "Write to ⟦he.she+his@her.example.org⟧ now.",
    "domain": "Buy at ⟦she.com⟧ or ⟦www.his.org/her⟧ today.",
    "handle": "Ask ⟦@she_her⟧ about ⟦#his⟧ thing.",
    "display formula": "So ⟦$$he + she$$⟧ holds.",
    "inline formula": "So ⟦$he_{she} = 3$⟧ holds.",
    "LaTeX formula": r"So ⟦\(he + his\)⟧ and ⟦\[she\]⟧ hold, ⟦\textbf⟧ too.",
    "rooted path": "In ⟦/usr/she/his.txt⟧ and ⟦~/he⟧ and ⟦../her⟧ it is.",
    "a form before a missing space": "Der Lehrer/in.Die Schule und ⟦lib/in.txt⟧ bleiben.",
    "relative path": "In ⟦src/he/she.py⟧ it is.",
    "quoted path": "Open '⟦s/he.py⟧' now.",
    "a slash behind a contraction": "So he's/U.S. it is.",
    "Windows path": r"In ⟦C:\Users\she⟧ it is.",
    "file name": "Open ⟦her.txt⟧ now.",
    "snake case": "The variable ⟦he_she⟧ and ⟦_his⟧ count.",
    "call": "Then ⟦she()⟧ and ⟦he.his()⟧ run.",
    "attribute": "The field ⟦she.name⟧ is set.",
    "placeholder": "Dear ⟦{she}⟧, dear ⟦{{ he }}⟧, dear ⟦%(her)s⟧, dear ⟦$his⟧.",
    "option": "Pass ⟦--her⟧=3 now.",
    "key in quotes": '⟦"she":⟧ 3',
    "key of a line": "⟦he:⟧ 5\n⟦  - she:⟧ 6",
    "assignment": "⟦she = ⟧5 and ⟦he -> ⟧her",
    "declared pronouns": "Ada (⟦she/her⟧) and Ben (⟦he/him/his⟧) and Cleo (⟦they/she⟧)",
    "prices": "He paid ⟦$5⟧ and she paid ⟦$6⟧ for it.",
    "nothing": "He paid 5 $ and she paid 6 €; 50 % of it was his. *Her* idea (she said): go!",
    "double forms are text": "he/she and his/her and s/he and him/herself",
    "arrows need words": "a - b > c",
}


@pytest.mark.parametrize("marked", PROTECTED.values(), ids=PROTECTED.keys())
def test_protected(marked: str) -> None:
    text = re.sub("[⟦⟧]", "", marked)
    expected = re.findall("⟦(.*?)⟧", marked, flags=re.DOTALL)
    assert [text[start:end] for start, end in protected_spans(text)] == expected


PIECES = (
    'a;b c; ;  ;\n;\t;.;/;@;#;_;=;->;:;x:;-;--;"k";();(;);%(a)s;$;www.;Www.;http://;e.g.;he/him;foo.py;a.com;*;é;,;~;{;}'
    ";`;<b>;\\n;~~~;\u2003;1"
).split(";")


@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.text(max_size=40)))
def test_the_short_cut_finds_what_the_whole_pattern_finds(text: str) -> None:
    """Looking around hints only is an optimisation; it may not change what is found."""
    assert protect._short_spans(text) == [match.span() for match in protect._PROTECTED.finditer(text)]
