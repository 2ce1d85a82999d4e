"""Whose mind holds something: a storyline, a word that somebody typed, or one memory as it is told on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from modules.model.hashing import STOP_CHARACTERS, STOP_WORDS, features
from modules.replay.api import tick_of
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.spread import Learning, Topic, knowers

SHORTEST = 3
"""Letters of a European word that counts."""


@dataclass(frozen=True)
class Word:
    """What somebody typed, as it stands."""

    text: str

    def told_in(self, text: str) -> bool:
        return self.text.casefold() in text.casefold()


class Retelling:
    """One memory, told on: another text is about it if it holds `ENOUGH` of its content words (of Chinese, pairs of characters).

    Names do not count: what is told about Sam is not what else is known of Sam.
    """

    ENOUGH = 0.6

    def __init__(self, text: str, names: Iterable[str]) -> None:
        known = {unit for name in names for _, unit in features(name)}
        self._units = tuple({unit for kind, unit in features(text) if _counts(kind, unit)} - known)
        self._text = text

    def told_in(self, text: str) -> bool:
        folded = text.casefold()
        return text == self._text or (len(self._units) > 1 and sum(unit in folded for unit in self._units) >= self.ENOUGH * len(self._units))


def _counts(kind: str, unit: str) -> bool:
    if kind == "han":
        return len(unit) == 2 and not STOP_CHARACTERS.intersection(unit)
    return kind == "word" and len(unit) >= SHORTEST and unit not in STOP_WORDS


def stories(names: Names) -> list[dict[str, str]]:
    """The storylines of a run's world, to choose from."""
    return [{"id": story.id, "title": story.title} for story in (names.world.storylines if names.world else ())]


def spread(run: RunReader, names: Names, topic: Topic) -> list[dict[str, Any]]:
    """Who came to know of a topic, in order: when, from whom, in which conversation, by which memory."""
    return [_learning(run, one) for one in knowers(run, topic, run.last_step())]


def _learning(run: RunReader, one: Learning) -> dict[str, Any]:
    concept = one.memory.concept
    return {
        "who": one.memory.who,
        "from": one.teller,
        "tick": tick_of(run, concept.created),
        "step": one.memory.step,
        "talk": concept.talk,
        "memory": concept.id,
        "text": concept.text,
    }
