"""A day in minitown is varied enough to be worth reading: on several seeds, in both languages."""

from __future__ import annotations

import os
import re
from collections import Counter
from math import ceil

import pytest

from hometown.language import LANGS, Lang
from hometown.storage.run import RunFile
from hometown.world.effects import Began
from hometown.world.world import arena_of
from tests.support.days import lived_day
from tests.support.town import opened

SEEDS = int(os.environ.get("HOMETOWN_DAYS", "1"))
"""How many days a language are looked at; `make fuzz` looks at more."""

RUN = 6
"""Words in a row that too many lines must not share."""


def words(text: str, lang: Lang) -> list[str]:
    if lang == "en":
        return re.findall(r"[\w'’]+", text.lower())
    import jieba

    jieba.setLogLevel(60)
    return [word for word in jieba.lcut(text) if re.search(r"\w", word)]


def runs_of_words(text: str, lang: Lang) -> set[tuple[str, ...]]:
    said = words(text, lang)
    return {tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1)}


def activities(run: RunFile) -> dict[str, tuple[set[str], set[str]]]:
    """The different activities of each resident, and the arenas where they were done."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for _, logged in run.effects():
        if isinstance(logged.effect, Began):
            doings, places = found.setdefault(logged.who, (set(), set()))
            doings.add(logged.effect.action.activity)
            places.add(arena_of(logged.effect.action.address))
    return found


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
@pytest.mark.parametrize("lang", LANGS)
def test_a_scripted_day_is_varied(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang, seed: int
) -> None:
    with opened(lived_day(tmp_path_factory, lang, seed)) as run:
        talks = run.conversations()
        done = activities(run)
        outcomes = {call.outcome for call in run.calls()}
    lines = [line.text for talk in talks for line in talk.lines]
    shared = Counter(words for line in lines for words in runs_of_words(line, lang))
    assert len(talks) >= 12
    assert len(set(lines)) >= 0.85 * len(lines)
    assert max(Counter(lines).values()) <= 3
    assert max(shared.values()) <= ceil(0.05 * len(lines)), shared.most_common(3)
    assert all(len(doings) >= 10 and len(places) >= 3 for doings, places in done.values())
    assert len(done) == 6
    assert outcomes == {"ok"}
