"""Helpers that mend replies: texts cut at their bound, and repeated sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import Any, TypeVar

from hometown.prompt.bounds import items_of
from hometown.text import N_, copied_parts, overlaps

T = TypeVar("T")

SAME = 0.8
"""Overlap of character trigrams (Jaccard) from which a sentence repeats another."""

RECITED_SHARE = 0.85
"""Share of a text that stands in another, in parts, from which it recites that one."""

RECITED_WIDTH = 20
"""Width in Latin letters from which a part that two texts share is a passage."""

EXCHANGED = 20
"""Width in Latin letters up to which a sentence may be repeated: greetings, thanks, assent. A
Chinese character counts three.
"""

_CLOSING = "[\"'”’」』)）]*"
_SENTENCE = re.compile(rf".+?(?:[。！？…]+{_CLOSING}|[.!?]+{_CLOSING}(?=\s)|$)\s*", re.DOTALL)
_DANGLING = re.compile(
    r"(?:[\s,;:–—-]+(?:an?|the|at|to|of|in|on|for|with|and|or|but|from|by|into|about|his|her|their|my"
    r"|your|its|this|that|which|who|then))*[\s,;:–—-]*$",
    re.IGNORECASE,
)
"""Words and signs at the end of an English text that need another word."""

_CLAUSE = re.compile(r"(.+)[，、；：]", re.DOTALL)
_END = re.compile(rf"[.!?。！？…]{_CLOSING}$")

MENDING_NAMES = {
    "clipped": N_("cut to the hours awake"),
    "completed": N_("missing answers added"),
    "dropped": N_("impossible changes left out"),
    "emptied": N_("meaningless text removed"),
    "ended": N_("cut-off text ended"),
    "form": N_("form corrected"),
    "filled": N_("habits added"),
    "merged": N_("repeats merged"),
    "moved": N_("times moved"),
    "placed": N_("rooms added"),
    "postponed": N_("left for another day"),
    "recited": N_("recitals of the prompt left out"),
    "repeats": N_("repeated sentences left out"),
    "replaced": N_("emoji replaced"),
    "scaled": N_("minutes scaled to fill"),
    "shortened": N_("surplus left out"),
    "sorted": N_("times sorted"),
    "speaker": N_("name of the speaker left out"),
    "worded": N_("activities worded as usual"),
}
"""Names of the rules for the user."""


@lru_cache(maxsize=2048)
def cut_into_sentences(text: str) -> tuple[str, ...]:
    """Split a text in either language into sentences, which joined are the text.

    >>> cut_into_sentences("He came at 6. Nobody saw"), cut_into_sentences("来了？“好。”走吧")
    (('He came at 6. ', 'Nobody saw'), ('来了？', '“好。”', '走吧'))
    """
    return tuple(_SENTENCE.findall(text))


def ended(text: str, length: int) -> str:
    """Return a text, unchanged if it is shorter than its bound or ends a sentence; else shortened
    to its last full sentence, or if little is left, its last word.

    >>> ended("He came at 6. Nobody saw h", 26), ended("Nobody saw h", 12), ended("He came at 6.", 13), ended("没人看见他", 5)
    ('He came at 6.', 'Nobody saw…', 'He came at 6.', '没人看见…')
    """
    if len(text) < max(1, length - 1) or (len(text) <= length and _END.search(text)):
        return text
    parts = cut_into_sentences(text[:length])
    whole = "".join(parts if _END.search(parts[-1].rstrip()) else parts[:-1]).rstrip()
    if whole and len(whole) >= length // 3:
        return whole
    return f"{_cut_at_word(text, length - 1)}…"


def cut_short(text: str, length: int) -> str:
    """Shorten a phrase that reaches its bound to its last clause or word, without a mark and so far
    that it does not reach the bound any more.

    >>> cut_short("having an americano at the", 26), cut_short("baking, then resting in the", 27)
    ('having an americano', 'baking, then resting')
    >>> cut_short("having a rest", 60), cut_short("把书还给林悦，再去公园散", 12)
    ('having a rest', '把书还给林悦')
    """
    return text if len(text) < max(1, length - 1) else _cut_at_word(text, max(1, length - 2))


def _cut_at_word(text: str, length: int) -> str:
    """Return the beginning of a text that is cut off at `length`: up to its last word that can end
    a phrase, or without spaces up to its last clause.
    """
    head = text[:length]
    words = _DANGLING.sub("", head.rpartition(" ")[0])
    clause = _CLAUSE.match(head)
    return next(
        (
            part
            for part in (words, clause[1] if clause else "", head)
            if part and len(part) >= length // 3
        ),
        head[:1],
    )


def all_ended(value: Any, schema: dict[str, Any]) -> Any:
    """Apply `ended` to all texts in the JSON of a reply that have reached the bounds of its schema."""
    if isinstance(value, str):
        return ended(value, schema["maxLength"]) if "maxLength" in schema else value
    if isinstance(value, list):
        return [
            all_ended(item, part)
            for item, part in zip(value, items_of(schema, len(value)), strict=True)
        ]
    if isinstance(value, dict):
        return {name: all_ended(part, schema["properties"][name]) for name, part in value.items()}
    return value


def in_words(text: str) -> str:
    """Return a text that contains a letter or a digit, "" for any other.

    >>> in_words("at 9"), in_words("…"), in_words("好")
    ('at 9', '', '好')
    """
    return text if any(map(str.isalnum, text)) else ""


def unrepeated(
    items: Iterable[T], wording: Callable[[T], str] = str, known: Iterable[str] = ()
) -> list[T]:
    """Return items without those that repeat an earlier item or a known text; short phrases may
    repeat a known one.

    >>> unrepeated(["Thank you! ", "The oven is ready. ", "The oven is ready!"], known=["Thank you!"])
    ['Thank you! ', 'The oven is ready. ']
    """
    heard, kept, new = [text.strip() for text in known], list[T](), list[str]()
    for item in items:
        text = wording(item).strip()
        if not overlaps(text, new, SAME) and (
            is_exchanged(text) or not overlaps(text, heard, SAME)
        ):
            kept.append(item)
            new.append(text)
    return kept


def unrepeated_in_groups(
    items: Iterable[T], group_of: Callable[[T], Hashable], wording: Callable[[T], str]
) -> list[T]:
    """Return items, group by group, without those that repeat an earlier one of their group."""
    groups: dict[Hashable, list[T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    return [item for group in groups.values() for item in unrepeated(group, wording)]


def recites(text: str, shown: Iterable[str]) -> bool:
    """Return True if a text says nothing that one of the texts shown does not say in the same words.

    >>> recites("Ann waters the roses.", ["Ann waters the roses. They are dry."])
    True
    >>> recites("Ann waters the roses out of grief.", ["Ann waters the roses."])
    False
    """
    folded = text.strip().casefold()
    for other in shown:
        parts = copied_parts(folded, other.casefold())
        copied = sum(map(len, parts)) >= RECITED_SHARE * len(folded)
        if copied and any(map(is_passage, parts)):
            return True
    return False


def is_passage(part: str) -> bool:
    """Return True if a part of a text is too long to be the same by chance.

    >>> is_passage("her best friend"), is_passage("her best friend since they were girls")
    (False, True)
    """
    return _width(part) >= RECITED_WIDTH


def is_exchanged(text: str) -> bool:
    """Return True if a text is so short that it may return what another has said, as a greeting does.

    >>> is_exchanged("Good morning!"), is_exchanged("早上好！"), is_exchanged("The oven is ready now.")
    (True, True, False)
    """
    return _width(text) <= EXCHANGED


def _width(text: str) -> int:
    """Return the width of a text in Latin letters."""
    text = text.strip()
    return (
        len(text)
        if text.isascii()
        else sum(3 if character >= "\u2e80" else 1 for character in text)
    )
