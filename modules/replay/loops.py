"""Who repeats itself: the same line, the same activity or the same thought, over and over.

Models do this, small ones above all, and a town can look busy while nothing happens in it any more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from modules.replay.reader import RunReader, blocks

LoopKind = Literal["line", "activity", "thought"]

OFTEN = 4
"""Times from which a line or a thought counts as repeated."""

SHARE = 0.1
"""Share of a resident's lines or thoughts that the repeated one makes up at least: whoever talks much says some things twice."""

IN_A_ROW = 8
"""Times that an activity is begun anew, at the same place and with nothing in between."""

SHORTEST = 10
"""Characters of a text that can be a repetition, a Chinese one counting double; "Good night!" may be said every night."""

_BLOCK = 500
_HAN = re.compile(r"[\u3400-\u9fff]")
_NOISE = re.compile(r"[\W_]+|\d+")


@dataclass(frozen=True, slots=True)
class Loop:
    """A resident's most repeated line, activity or thought; `text` as it was worded first."""

    who: str
    kind: LoopKind
    text: str
    times: int


def loops(run: RunReader, last: int) -> list[Loop]:
    """What residents repeat in steps 1 to `last`, the most often repeated first; one of each kind for each resident at most."""
    lines: dict[str, list[str]] = {who: [] for who in run.residents}
    thoughts: dict[str, list[str]] = {who: [] for who in run.residents}
    for first, end in blocks(1, last, _BLOCK):
        for talk in run.talks(first, end):
            for line in talk.lines:
                lines[line.speaker].append(line.text)
        for memory in run.memories(first, end, ("thought",)):
            thoughts[memory.who].append(memory.concept.text)
    found = [*_repeated("line", lines), *_repeated("thought", thoughts), *_circling(run, last)]
    return sorted(found, key=lambda loop: (-loop.times, loop.who, loop.kind))


def _repeated(kind: LoopKind, said: dict[str, list[str]]) -> Iterator[Loop]:
    for who, texts in said.items():
        worded = {alike(text): text for text in reversed(texts) if len(text) + len(_HAN.findall(text)) >= SHORTEST}
        counts = Counter(key for key in map(alike, texts) if key in worded)
        for key, times in counts.most_common(1):
            if times >= max(OFTEN, SHARE * len(texts)):
                yield Loop(who, kind, worded[key], times)


def _circling(run: RunReader, last: int) -> Iterator[Loop]:
    """Activities begun again and again; sleeping and waiting are none."""
    for who in run.residents:
        begun = {action.started: action for _, action in run.actions_of(who, 1, last) if action.started and action.kind == "act"}.values()
        for (_, text), count in _longest((action.address, action.activity) for action in begun):
            yield Loop(who, "activity", text, count)


def _longest(begun: Iterable[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    """The longest row of equal actions, if it is long enough."""
    rows = [(key, sum(1 for _ in same)) for key, same in groupby(begun)]
    return [row for row in sorted(rows, key=lambda row: -row[1])[:1] if row[1] >= IN_A_ROW]


def alike(text: str) -> str:
    """What two texts share that differ in numbers, marks and capitals only.

    >>> alike("See you at 10:30, Tom!") == alike("see you at 9:00 Tom")
    True
    """
    return _NOISE.sub(" ", text.casefold()).strip()
