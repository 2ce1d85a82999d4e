"""The prompt for moving in: a user's description of a person becomes a resident of the town."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.bounds import Keywords, between
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Row, Variables

MOST_HABITS, MOST_INTERESTS = 6, 4

CLOCK = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"

Pronoun = Literal["she", "he", "they"]

PRONOUNS: dict[Lang, dict[Pronoun, list[str]]] = {
    "en": {
        "she": ["she", "her", "her"],
        "he": ["he", "him", "his"],
        "they": ["they", "them", "their"],
    },
    "zh": {"she": ["她"], "he": ["他"], "they": ["他"]},
}
"""The pronouns of a resident in each language, as in a resident's file."""

NOTHING: dict[Lang, str] = {"en": "nothing", "zh": "无"}
"""Text in a reply without a person; one without a letter is refused."""


@frozen
class Home:
    """A bedroom: its name, and the residents who sleep there."""

    name: str
    people: tuple[str, ...]


@frozen
class SettlerVars(Variables):
    """Variables for drafting a resident from a user's `words`.

    `homes` and `places` are those to choose from, numbered from 1 in the reply. `names` are taken.
    `faults` are those of the previous draft, "" for the first.
    """

    words: str
    homes: tuple[Home, ...]
    places: tuple[str, ...]
    names: tuple[str, ...]
    faults: str = ""


class HabitRow(Row):
    """A stretch of a usual day; `place` 0 is home."""

    start: str = Field(pattern=CLOCK, description="When it begins.")
    end: str = Field(pattern=CLOCK, description="When it ends.")
    activity: Annotated[str, OneLine(80)] = Field(description="What is done, as in 'mending nets'.")
    place: int = Field(ge=0, description="The number of the place; 0 at home.")


class SettlerReply(Reply):
    """A draft of a resident; the numbers are those of the homes and places to choose from."""

    name: Annotated[str, OneLine(60, 0)] = Field(
        description="First and family name; empty if the words are about nobody who could move in."
    )
    pronoun: Pronoun
    age: int = Field(ge=0, le=120)
    occupation: Annotated[str, OneLine(80)]
    innate: Annotated[str, OneLine(120)] = Field(
        description="Three or four traits, separated by commas."
    )
    learned: Annotated[str, OneLine(300)] = Field(
        description="Where this person comes from, and what they can do."
    )
    lifestyle: Annotated[str, OneLine(200)] = Field(description="How they spend their days.")
    currently: Annotated[str, OneLine(200)] = Field(description="What occupies them these days.")
    interests: list[Annotated[str, OneLine(60)]] = Field(max_length=MOST_INTERESTS)
    home: int = Field(ge=1, description="The number of the room.")
    wake: str = Field(pattern=CLOCK)
    bed: str = Field(pattern=CLOCK)
    habits: list[HabitRow] = Field(
        min_length=1,
        max_length=MOST_HABITS,
        description="A usual day, between getting up and going to bed.",
    )


def _narrow(v: SettlerVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the lengths of texts, and the numbers of homes and places."""
    texts = {
        field: v.situation.text(length)
        for field, length in (
            ("occupation", 80),
            ("innate", 120),
            ("learned", 300),
            ("lifestyle", 200),
            ("currently", 200),
            ("interests[]", 60),
            ("habits[].activity", 80),
        )
    }
    return texts | {
        "home": between(1, len(v.homes)),
        "habits[].place": between(0, len(v.places)),
    }


def nobody(v: SettlerVars) -> SettlerReply:
    """Return a reply that describes no person (its name is ""), the fallback of the prompt."""
    nothing = NOTHING[v.situation.lang]
    plain = dict.fromkeys(("occupation", "innate", "learned", "lifestyle", "currently"), nothing)
    return SettlerReply(
        name="",
        pronoun="they",
        age=30,
        interests=[],
        home=1,
        wake="07:00",
        bed="22:00",
        habits=[HabitRow(start="08:00", end="09:00", activity=nothing, place=0)],
        **plain,
    )


SETTLER = Prompt(
    "settler",
    SettlerVars,
    SettlerReply,
    fallback=nobody,
    narrow=_narrow,
    persona="nobody",
    max_tokens=1600,
    temperature=0.7,
    judges=True,
)
