"""Describe a new resident: name, age, work and home from the given words, and a plain life around
that.
"""

from __future__ import annotations

import re
from random import Random

from hometown.language import Lang
from hometown.prompt.newcomers import HabitRow, Pronoun, SettlerReply, SettlerVars, nobody
from hometown.text import catalogue

GROWN_UP, ELDERLY = 20, 70
"""Range of ages for a new resident whose age is not given."""


def answer_settler(v: SettlerVars, rng: Random, lang: Lang) -> SettlerReply:
    """Return a draft of a new resident whom the user's words describe; traits that they do not give
    are drawn at random. The empty draft if the words don't begin with a name that no resident has,
    if there is no home, or if a revision is asked for (`v.faults`).
    """
    forms = catalogue(lang, "settling")
    named = re.match(forms["named"], v.words)
    if v.faults or not (named and v.homes) or named["name"] in v.names:
        return nobody(v)
    name, words = named["name"], v.words[named.end() :]
    said = {
        key: match[key] for key in ("age", "occupation") if (match := re.search(forms[key], words))
    }
    occupation = said.get("occupation", forms["no_occupation"])
    home = max(
        range(len(v.homes)),
        key=lambda at: max(
            (len(each) for each in _home_names(v, at) if each.casefold() in words.casefold()),
            default=0,
        ),
    )
    place = next(
        (at for at, place in enumerate(v.places, start=1) if place.casefold() in words.casefold()),
        rng.randint(0, len(v.places)),
    )
    return SettlerReply(
        name=name,
        pronoun=_pronoun(words, forms),
        age=min(120, int(said.get("age", rng.randint(GROWN_UP, ELDERLY)))),
        occupation=occupation,
        innate=rng.choice(forms["traits"].split("|")),
        learned=forms["learned"].format(name=name, occupation=occupation),
        lifestyle=forms["lifestyle"].format(name=name),
        currently=forms["currently"].format(name=name),
        interests=rng.sample(forms["interests"].split("|"), 2),
        home=home + 1,
        wake="06:30",
        bed="22:00",
        habits=_usual_day(forms, forms["work"].format(occupation=occupation), place),
    )


def _usual_day(forms: dict[str, str], work: str, place: int) -> list[HabitRow]:
    """Return the rows of a plain working day, with meals at home."""
    return [
        HabitRow(start="07:00", end="07:30", activity=forms["breakfast"], place=0),
        HabitRow(start="08:30", end="12:00", activity=work, place=place),
        HabitRow(start="12:00", end="13:00", activity=forms["lunch"], place=0),
        HabitRow(start="13:30", end="17:00", activity=work, place=place),
        HabitRow(start="18:30", end="19:30", activity=forms["supper"], place=0),
    ]


def _home_names(v: SettlerVars, at: int) -> tuple[str, ...]:
    """Return the names that refer to a home: its own, and the full and given names of its
    residents.
    """
    home = v.homes[at]
    return (home.name, *home.people, *(name.split()[0] for name in home.people))


def _pronoun(words: str, forms: dict[str, str]) -> Pronoun:
    """Return the pronoun that the words suggest; "they" for none."""
    found: dict[Pronoun, re.Match[str] | None] = {
        "she": re.search(forms["she"], words),
        "he": re.search(forms["he"], words),
    }
    return next((pronoun for pronoun, match in found.items() if match), "they")
