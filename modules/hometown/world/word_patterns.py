r"""Patterns of words, as the authors of a world write them: no regular expressions, whose matching
a world could make last for ever.

A pattern is a piece of text. In it `<` says that a word begins there, `>` that one ends there, and
`*` at the end of a word stands for any further letters of it:

    phone      <cake      <jam>      radio>      put* out

Each compiles to a regular expression that never goes back over what it has matched. Worlds from
before these patterns have regular expressions; those that only list words are translated, with `\b`
at their ends, `?`, alternatives in parentheses, `\w*` and signs behind a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hometown.text import N_, Phrase

LONGEST_PATTERN = 100
"""The largest length of a pattern."""

MOST_PATTERNS = 1000
"""The largest number of patterns in a list."""

_MOST_WORDINGS = 64
"""The largest number of patterns from one regular expression."""

_REGEX = re.compile(r"[\\()\[\]?+^$|]|\{\d")
"""Signs that identify a regular expression of an old world."""

_MEANT = re.compile(r"[^\W_][\w' -]*")
"""Matches words in a regular expression."""


def compile_pattern(pattern: str) -> str:
    """Return the regular expression of a pattern. Raises ValueError, with a Phrase, for a text that
    is none.

    >>> compile_pattern("<jam>"), compile_pattern("put* out")
    ('\\\\bjam\\\\b', 'put\\\\w*+\\\\ out')
    """
    _check(pattern)
    return "".join(
        {"<": r"\b", ">": r"\b", "*": r"\w*+"}.get(sign, re.escape(sign)) for sign in pattern
    )


def _check(pattern: str) -> None:
    """Raise ValueError, with a Phrase, for a pattern without a word, a too long one, and one with *
    elsewhere than at the end of a word.
    """
    if not pattern.strip("<>* "):
        raise ValueError(
            Phrase("{pattern!r} has no word; write one, or take it out", pattern=pattern)
        )
    if len(pattern) > LONGEST_PATTERN:
        text = N_("{pattern!r}… has {count} characters; a pattern of words has at most {most}")
        raise ValueError(
            Phrase(text, pattern=pattern[:40], count=len(pattern), most=LONGEST_PATTERN)
        )
    if re.search(r"(^|\W)\*|\*\w", pattern):
        raise ValueError(
            Phrase(
                "{pattern!r}: * stands only at the end of a word, for any further letters of it",
                pattern=pattern,
            )
        )


def read_patterns(texts: Sequence[str]) -> tuple[list[str], list[Phrase]]:
    """Return the patterns of a list, and a warning for each regular expression among its texts that
    was translated.

    Raises ValueError, with a Phrase, for more than `MOST_PATTERNS` texts, and for one that is
    neither a pattern nor such a regular expression.
    """
    if len(texts) > MOST_PATTERNS:
        raise ValueError(
            Phrase(
                "{count:,} patterns of words; at most {most:,} are read",
                count=len(texts),
                most=MOST_PATTERNS,
            )
        )
    patterns, warnings = list[str](), list[Phrase]()
    for text in texts:
        if not _REGEX.search(text):
            _check(text)
            patterns.append(text)
            continue
        translated = translate_regex(text)
        patterns += translated
        warnings.append(
            Phrase(
                "{text!r} is a regular expression; write instead {patterns}",
                text=text,
                patterns=[repr(each) for each in translated],
            )
        )
    return patterns, warnings


def is_readable(text: str) -> bool:
    """Return True if a text is a pattern, or a regular expression that can be translated."""
    try:
        read_patterns([text])
    except ValueError:
        return False
    return True


def translate_regex(regex: str) -> list[str]:
    """Return the patterns of words that match the same texts as a regular expression. Raises
    ValueError, with a Phrase that proposes words to write instead, if it cannot be translated.

    >>> translate_regex("minutes?\\\\b"), translate_regex("put(ting)? out"), translate_regex("e-?mail")
    (['minutes>', 'minute>'], ['putting out', 'put out'], ['e-mail', 'email'])
    """
    try:
        reader = _Reader(regex)
        patterns = list(dict.fromkeys(reader.alternatives()))
        if reader.at < len(regex):
            raise _Untranslatable
        for pattern in patterns:
            _check(pattern)
    except (_Untranslatable, RecursionError):
        likely = [
            word.strip()
            for word in _MEANT.findall(re.sub(r"\\.", " ", regex[:LONGEST_PATTERN]))
            if len(word.strip()) > 1
        ] or ["word*"]
        raise ValueError(
            Phrase(
                "{regex!r} is a regular expression, which a world cannot have; list the words themselves, such as {likely} (docs/worlds.md)",
                regex=regex[:LONGEST_PATTERN],
                likely=[repr(word) for word in likely],
            )
        ) from None
    return patterns


class _Untranslatable(Exception):
    """A regular expression that equals no list of words."""


class _Reader:
    """Parses a regular expression that lists words."""

    def __init__(self, regex: str) -> None:
        self.regex = regex
        self.at = 0

    def alternatives(self) -> list[str]:
        """Return all wordings, up to the end or to a closing parenthesis. Raises _Untranslatable."""
        wordings = self._sequence()
        while self._takes("|"):
            wordings += self._sequence()
        return _bounded(wordings)

    def _sequence(self) -> list[str]:
        """Return all wordings of a sequence of atoms, each optional with "?", up to "|", ")" or the
        end. Raises _Untranslatable for other repetitions.
        """
        wordings = [""]
        while self.at < len(self.regex) and self.regex[self.at] not in "|)":
            following = self._atom()
            if self._takes("?"):
                following = [*following, ""]
            if self.at < len(self.regex) and self.regex[self.at] in "?*+":
                raise _Untranslatable
            wordings = _bounded([wording + part for wording in wordings for part in following])
        return wordings

    def _atom(self) -> list[str]:
        """Return the wordings of the next atom: a group, the rest of a word, the edge of a word, or
        a single sign. Raises _Untranslatable for any other.
        """
        if self._takes("("):
            self._takes("?:")
            wordings = self.alternatives()
            if not self._takes(")"):
                raise _Untranslatable
            return wordings
        if self._takes(r"\w*"):
            return ["*"]
        if self._takes(r"\b"):
            following = self.regex[self.at : self.at + 1]
            return ["<" if following and (following.isalnum() or following == "(") else ">"]
        is_escaped = self._takes("\\")
        sign = self.regex[self.at : self.at + 1]
        self.at += 1
        if not sign or sign in "<>*\\":
            raise _Untranslatable
        is_special = sign.isalnum() if is_escaped else sign == "{" or bool(_REGEX.match(sign))
        if is_special:
            raise _Untranslatable
        return [sign]

    def _takes(self, text: str) -> bool:
        """Return True if a text comes next, and skip it if it does."""
        found = self.regex.startswith(text, self.at)
        if found:
            self.at += len(text)
        return found


def _bounded(wordings: list[str]) -> list[str]:
    """Return wordings unchanged. Raises _Untranslatable for more than `_MOST_WORDINGS`."""
    if len(wordings) > _MOST_WORDINGS:
        raise _Untranslatable
    return wordings
