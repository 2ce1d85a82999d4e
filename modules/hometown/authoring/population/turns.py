"""The turns of an interview transcript: lines that begin with who speaks.

Time stamps before or behind the speaker, as programs that transcribe write them, are left out. A
colon alone makes no speaker: people use it in their sentences, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

_TIME = r"\d{1,2}(?:[:：]\d{2}){1,2}(?:[.,]\d{1,3})?"

_STAMP = re.compile(rf"^\s*(?:[\[(]{_TIME}(?:\s*-+>\s*{_TIME})?[\])]|\d{{1,2}}:\d{{2}}:\d{{2}}\b)")

_TURN = re.compile(
    r"(?:[\W\d_]*\W)?(?P<label>\d*[^\W\d_][^:：*]{0,39}?)[\s*]*"
    rf"(?:[\[(]?{_TIME}[\])]?\s*(?:[:：]|$)|[:：])[\s*]*(?P<text>.*)"
)


class MarkedTurn(NamedTuple):
    """A line that begins with a label, and its text."""

    label: str
    text: str


def read_turn(line: str) -> MarkedTurn | None:
    """Return the turn that begins in a line, if its label is a speaker; None for a line without a
    label.

    >>> read_turn("[00:21] **Ann:** Hello: you!"), read_turn("Ann (00:21):"), read_turn("Hello!")
    (MarkedTurn(label='Ann', text='Hello: you!'), MarkedTurn(label='Ann', text=''), None)
    """
    found = _TURN.match(line)
    return MarkedTurn(found["label"], found["text"].strip()) if found else None


def remove_stamp(line: str) -> str:
    """Return a line without a time stamp at its beginning.

    >>> remove_stamp("[00:00.000 --> 00:02.000]  I get up at six."), remove_stamp("8:30 is early.")
    ('I get up at six.', '8:30 is early.')
    """
    return _STAMP.sub("", line).strip()


def find_speakers(lines: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the labels that are speakers, in small letters, the most frequent first: those that
    begin several lines, and those of `known`.
    """
    labels = Counter(turn.label.lower() for line in lines if (turn := read_turn(line)))
    return [label for label, count in labels.most_common() if count > 1 or label in known]


def find_single_speaker(lines: Iterable[str], known: Collection[str]) -> str:
    """Return the first label, in small letters, that is not `known` and whose words all begin like
    those of a name; "" for none.
    """
    labels = (turn.label for line in lines if (turn := read_turn(line)))
    return next(
        (
            label.lower()
            for label in labels
            if label.lower() not in known and not any(word[0].islower() for word in label.split())
        ),
        "",
    )
