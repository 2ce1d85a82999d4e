"""Repetition: the same line, activity or thought many times over.

Models do this, small ones above all, and a town can look busy while nothing new happens in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

from hometown.frozen import frozen
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader

LoopKind = Literal["line", "activity", "thought"]

OFTEN = 4
"""Number of times from which on a line or a thought counts as repeated."""

MIN_SHARE = 0.1
"""Minimum share of a resident's lines, or thoughts, that have the same text for it to count as
repeated: frequent speakers repeat some lines.
"""

IN_A_ROW = 8
"""Number of beginnings in a row, without another activity in between, from which on an activity at
one place counts as repeated.
"""

MIN_CHARACTERS = 10
"""Minimum number of characters of a repetition, a Chinese one counting double; "Good night!" may be
said every night.
"""

_BLOCK = 500
_HAN = re.compile(r"[\u3400-\u9fff]")
_NOISE = re.compile(r"[\W_]+|\d+")


@frozen
class Loop:
    """A resident's most repeated line, activity or thought; `text` is its first wording."""

    who: str
    kind: LoopKind
    text: str
    times: int


def loops(run: RunReader, last: int) -> list[Loop]:
    """Return the repetitions of residents in steps 1 to `last`, the most frequent first, at most
    one of each kind for each resident.
    """
    lines: dict[str, list[str]] = {who: [] for who in run.residents}
    thoughts: dict[str, list[str]] = {who: [] for who in run.residents}
    for first, end in blocks(1, last, _BLOCK):
        for conversation in run.conversations(first, end):
            for line in conversation.lines:
                lines[line.speaker].append(line.text)
        for memory in run.memories(first, end, ("thought",)):
            thoughts[memory.who].append(memory.concept.text)
    repetitions = [
        *_find_repetitions("line", lines),
        *_find_repetitions("thought", thoughts),
        *_find_circles(run, last),
    ]
    return sorted(repetitions, key=lambda loop: (-loop.times, loop.who, loop.kind))


def _find_repetitions(kind: LoopKind, texts_by_resident: dict[str, list[str]]) -> Iterator[Loop]:
    """Yield each resident's most repeated text, if it is long enough and repeated often enough."""
    for who, texts in texts_by_resident.items():
        worded = {normalize(text): text for text in reversed(texts) if is_repeatable(text)}
        counts = Counter(key for key in map(normalize, texts) if key in worded)
        for key, times in counts.most_common(1):
            if times >= max(OFTEN, MIN_SHARE * len(texts)):
                yield Loop(who, kind, worded[key], times)


def _find_circles(run: RunReader, last: int) -> Iterator[Loop]:
    """Yield, for each resident, the activity that begins most often in a row at one place, if it
    does so at least `IN_A_ROW` times; sleeping and waiting do not count.
    """
    for who in run.residents:
        begun = {
            action.started: action
            for _, action in run.actions_of(who, 1, last)
            if action.started and action.kind == "act"
        }.values()
        for (_, text), count in _find_longest(
            (action.address, action.activity) for action in begun
        ):
            yield Loop(who, "activity", text, count)


def _find_longest(begun: Iterable[tuple[str, str]]) -> list[tuple[tuple[str, str], int]]:
    """Return the longest run of equal actions with its length, in a list that is empty if it is
    too short.
    """
    rows = [(key, sum(1 for _ in same)) for key, same in groupby(begun)]
    return [row for row in sorted(rows, key=lambda row: -row[1])[:1] if row[1] >= IN_A_ROW]


def is_repeatable(text: str) -> bool:
    """Return True if a text is long enough to count as a repetition.

    >>> is_repeatable("Bye!"), is_repeatable("See you at ten."), is_repeatable("明天上午见")
    (False, True, True)
    """
    return len(text) + len(_HAN.findall(text)) >= MIN_CHARACTERS


def normalize(text: str) -> str:
    """Return a key that is equal for texts that differ only in numbers, punctuation and case.

    >>> normalize("See you at 10:30, Tom!") == normalize("see you at 9:00 Tom")
    True
    """
    return _NOISE.sub(" ", text.casefold()).strip()
