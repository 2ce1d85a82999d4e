"""Rules that find implausible people in a table: contradictions within a row, and copies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import orjson

from hometown.authoring.population.people_table import PersonRow
from hometown.authoring.word_tables import contains_word
from hometown.json_object import Json
from hometown.language import Lang
from hometown.paths import DATA
from hometown.text import Phrase, split_sentences

WORKING_AGE = 14
"""The age below which an occupation other than that of a pupil is implausible."""


@cache
def read_population_words(lang: Lang) -> Json:
    """Return the content of `data/population/LANG.json`, read once."""
    content: Json = orjson.loads((DATA / "population" / f"{lang}.json").read_bytes())
    return content


def find_implausible(rows: Sequence[PersonRow], lang: Lang) -> dict[int, list[Phrase]]:
    """Return the reasons against each implausible row, by its line. The first of two rows alike is
    plausible; a biography of one sentence may be true of many.
    """
    found: dict[int, list[Phrase]] = {}
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        reasons = [*_list_contradictions(row, lang)]
        for column in ("name", "about"):
            value = row.get(column)
            first = seen.setdefault((column, value), row.line)
            is_copy = column == "name" or len(split_sentences(value)) > 1
            if value and is_copy and first != row.line:
                reasons.append(
                    Phrase("{column} is the same as in line {line}", column=column, line=first)
                )
        if reasons:
            found[row.line] = reasons
    return found


def _list_contradictions(row: PersonRow, lang: Lang) -> Iterator[Phrase]:
    """Yield the contradictions between the cells of a row."""
    words, occupation, about = read_population_words(lang), row.get("occupation"), row.get("about")
    own_words = re.sub("“[^”]*”", "", about)  # quotes may be about others
    if not occupation:
        yield Phrase("occupation is missing")
    ages = next((each for each in words["ages"] if contains_word(occupation, each["words"])), None)
    least, most = (ages["least"], ages["most"]) if ages else (WORKING_AGE, row.age)
    if occupation and not least <= row.age <= most:
        yield Phrase(
            "the occupation {occupation!r} does not suit the age of {age}",
            occupation=occupation,
            age=row.age,
        )
    stated = [int(age) for age in re.findall(words["stated_age"], own_words)]
    if stated and row.age not in stated:
        yield Phrase("about says {stated} years, and age {age}", stated=stated[0], age=row.age)
    counts = {
        pronoun: len(re.findall(pattern, own_words, re.IGNORECASE))
        for pronoun, pattern in words["pronoun_words"].items()
    }
    other = {"she": "he", "he": "she"}.get(row.pronoun)
    if other and counts[other] and not counts[row.pronoun]:
        yield Phrase(
            "about calls the person {other!r}, and gender says {pronoun!r}",
            other=other,
            pronoun=row.pronoun,
        )
