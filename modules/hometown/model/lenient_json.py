"""All readings of text that a model wrote in place of JSON, so that a repair is accepted only where
a single reading is possible.

Accepted beside JSON: Python literals, comments, trailing and missing commas, names without quotes,
curly and full-width quotes, commas and colons. A quotation mark may end a text or belong to it:
both are tried, and a text that makes sense both ways has several readings.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

MOST_STEPS = 100_000
"""Values and characters that are read in one text; objects that need more have no reading."""

MOST_ODDITIES = 6
"""Oddities of a reading, at most; a text with more of them is no JSON."""

DEEPEST = 12
"""Objects and lists within each other, at most: replies have four."""

QUOTES = {'"': '"', "'": "'", "＂": "＂", **dict.fromkeys("“”„", "“”"), **dict.fromkeys("‘’", "‘’")}
"""Opening quotation marks, each with its possible closing marks."""

CONSTANTS = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}

_GAP = re.compile(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_COMMA = re.compile("[,，、]")
_COLON = re.compile("[:：]")
_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_CONSTANT = re.compile(r"\b(?:" + "|".join(CONSTANTS) + r")\b")
_ESCAPE = re.compile(
    r"\\(?:(?P<hex>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})|(?P<sign>.))", re.DOTALL
)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"} | {
    sign: sign for sign in "\"'\\/“”‘’"
}


@dataclass(frozen=True)
class ParsedReading:
    """A value, the position behind it, and the oddities that further values may still have."""

    value: Any
    end: int
    left: int


class _Unreadable(Exception):
    """An object with more steps than `MOST_STEPS`, or with two values of one name."""


class LenientReader:
    """Reads the objects of one text, in at most `MOST_STEPS` steps altogether."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._steps = 0

    def readings(self, at: int) -> list[ParsedReading]:
        """Return the readings with the fewest oddities of the object that begins with a brace at a
        position; none if it cannot be read.

        A missing comma is an oddity, and so is a quotation mark within a text that it could end.

        >>> [reading.value for reading in LenientReader("{wake: '06:40', bed: “23:05”,}").readings(0)]
        [{'wake': '06:40', 'bed': '23:05'}]
        >>> [reading.value for reading in LenientReader("{'say': 'It's Tom's', 'end': False}").readings(0)]
        [{'say': "It's Tom's", 'end': False}]
        >>> LenientReader('{"say": "a", "say": "b",}').readings(0), LenientReader('{"say": }').readings(0)
        ([], [])
        """
        for left in range(MOST_ODDITIES + 1):
            try:
                found = list(self._value(at, 0, left))
            except (_Unreadable, RecursionError):
                return []
            if found:
                return found
        return []

    def _value(self, at: int, depth: int, left: int) -> Iterator[ParsedReading]:
        """Yield the readings of the value at a position, with at most `left` oddities: an object or
        a list of at most `DEEPEST` levels, a text, a number or a constant.
        """
        self._count_steps()
        sign = self._text[at : at + 1]
        if sign in ("{", "[") and depth < DEEPEST:
            yield from self._members(self._skip(at + 1), depth + 1, left, sign, [])
        elif sign in QUOTES:
            yield from self._quoted(at, left)
        elif match := _NUMBER.match(self._text, at):
            is_whole = match[0].lstrip("+-").isdecimal()
            number = int(match[0]) if is_whole else float(match[0])
            if isfinite(number):
                yield ParsedReading(number, match.end(), left)
        elif match := _CONSTANT.match(self._text, at):
            yield ParsedReading(CONSTANTS[match[0]], match.end(), left)

    def _members(
        self, at: int, depth: int, left: int, opening: str, so_far: list[Any]
    ) -> Iterator[ParsedReading]:
        """Yield the readings of the rest of an object or a list, whose first members are known."""
        is_object = opening == "{"
        if self._text.startswith("}" if is_object else "]", at):
            yield ParsedReading(dict(so_far) if is_object else so_far, at + 1, left)
            return
        names = [name for name, _ in so_far] if is_object else []
        for member in self._pair(at, depth, left) if is_object else self._value(at, depth, left):
            if is_object and member.value[0] in names:
                raise _Unreadable  # one name for two values: which one holds is unknown
            next_at = self._skip(member.end)
            comma = _COMMA.match(self._text, next_at)
            if comma:
                next_at = self._skip(comma.end())
            is_odd = not comma and not self._text.startswith(("}", "]"), next_at)
            if member.left >= is_odd:
                yield from self._members(
                    next_at, depth, member.left - is_odd, opening, [*so_far, member.value]
                )

    def _pair(self, at: int, depth: int, left: int) -> Iterator[ParsedReading]:
        """Yield the readings of a name, quoted or bare, with its value, from a position; none if
        there is no name with a colon.
        """
        bare = _NAME.match(self._text, at)
        name = ParsedReading(bare[0], bare.end(), 0) if bare else next(self._quoted(at, 0), None)
        colon = name and _COLON.match(self._text, self._skip(name.end))
        if name and colon:
            for part in self._value(self._skip(colon.end()), depth, left):
                yield ParsedReading((name.value, part.value), part.end, part.left)

    def _quoted(self, at: int, left: int) -> Iterator[ParsedReading]:
        """Yield the text up to each mark that may end it."""
        ends = QUOTES.get(self._text[at : at + 1], "")
        written, end = list[str](), at + 1
        while ends and left >= 0 and end < len(self._text):
            self._count_steps()
            sign = self._text[end]
            if sign in ends:
                yield ParsedReading(_join("".join(written)), end + 1, left)
                left -= 1
            if sign == "\\":
                escape = _ESCAPE.match(self._text, end)
                if escape is None or not (character := _escaped(escape)):
                    return
                written.append(character)
                end = escape.end()
            else:
                written.append(sign)
                end += 1

    def _skip(self, at: int) -> int:
        """Return the position behind blanks and comments, whose characters count as steps."""
        gap = _GAP.match(self._text, at)
        if gap is None:
            return at
        self._count_steps(len(gap[0].strip()))
        return gap.end()

    def _count_steps(self, more: int = 1) -> None:
        """Count steps. Raises _Unreadable beyond `MOST_STEPS`."""
        self._steps += more
        if self._steps > MOST_STEPS:
            raise _Unreadable


def _escaped(escape: re.Match[str]) -> str:
    """Return the character that an escape stands for; "" for one that stands for none."""
    if not escape["hex"]:
        return _SIGNS.get(escape["sign"], "")
    code = int(escape["hex"][1:], 16)
    return chr(code) if code <= sys.maxunicode else ""


def _join(text: str) -> str:
    """Return a text whose surrogate pairs are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
