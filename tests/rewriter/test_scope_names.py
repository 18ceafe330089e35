"""Which English sentences name a person (``--scope generic`` leaves those alone)."""

from __future__ import annotations

import pytest

from rewriter.en.names import names_person, refers_back

NAMED = """\
Dr. Maria Chen said she would come.
Mr Brown sold his car.
Judge Kowalski put on her robe.
According to judge Kowalski, she has decided.
Maria forgot her keys.
Yesterday Kowalski said she was tired.
The nurse told Tom that he was late.
J. Smith lost his hat.
The novelist J. R. Miller finished her book.
Mark said he was ready.
Rose Taylor said she was ready.
"I know," Xiomara said, and closed her bag.
On Monday Peter washed his hands.
In London Peter washed his hands.
Virginia Woolfson opened her window.
Her sister, McDonald's aunt, knows that she is here.
Prime Minister Lindqvist lost her seat.
Mom says she is tired.
At Maria's house she felt well.
The German chancellor Angela Meier gave her speech.
Jean-Luc has his own boat.
Mercy Jones said she was ready.
DR. SMITH SAID SHE WAS LATE.
Did Zofia bring her bag?
He and Zofia left.
Our teacher — Joanna — left her bag here.
I told Will that he was late.
"""
GENERIC = """\
A doctor should wash her hands.
The nurse said she was late.
Every student in Germany brings his own books.
She works at Google and likes her job.
An American nurse told us that she was late.
The President said he would sign the bill.
The Prime Minister said he would resign.
On Monday a doctor should wash her hands.
Doctors say that he who sleeps lives longer.
If a member of Congress resigns, he loses his seat.
She went to Mercy Hospital for her check-up.
A patient with Alzheimer's disease needs his family.
Parkinson's disease had changed his voice.
The CEO said she was pleased.
She speaks French and Spanish with her friends.
In April, the farmer sows his wheat.
Will a driver see his mistake?
May God bless her.
Grace is what she needs.
I think I'm as tall as she is.
A user can edit his profile on YouTube.
Anyone who lives near Milwaukee knows his neighbours.
THE DRIVER MUST WEAR HIS BELT.
How A Doctor Should Wash Her Hands Before Surgery
a nurse said that she was late.
She said: "Doctors know what they do."
He sat in the House of Representatives until his death.
A Tesla driver parked her car.
"""


@pytest.mark.parametrize("sentence", NAMED.splitlines())
def test_names_a_person(sentence: str) -> None:
    assert names_person(sentence)


@pytest.mark.parametrize("sentence", GENERIC.splitlines())
def test_names_nobody(sentence: str) -> None:
    assert not names_person(sentence)


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [("She works hard.", True), ("Then the doctor washed her hands.", True), ("A doctor should wash her hands.", False),
     ("Everyone who works knows his colleagues.", False), ("Her patients like a joke.", True)],
)  # fmt: skip
def test_pronouns_that_may_mean_someone_named_before(sentence: str, answer: bool) -> None:
    offset = min(sentence.lower().find(f"{word} ") for word in ("she", "her", "his") if f"{word} " in sentence.lower())
    assert refers_back(sentence, offset) is answer
