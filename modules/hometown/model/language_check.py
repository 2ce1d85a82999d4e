"""Detects replies in another language than the run's. Small models drift from Chinese into English,
and some the other way.

The rule counts characters, not meaning. A text is foreign if it has at least `MIN_UNITS` units of
the other language's script and more of them than of its own; a unit is a Han character or a word in
Latin letters, so that a quoted title or the name of a program does not matter. Names that the
prompt itself gave, ids, addresses, times, numbers and emoji are not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hometown.language import Lang
from hometown.prompt.prompt import Variables

MIN_UNITS = 4
"""The least number of units of the other script in a foreign text: "OK, thanks!" is too short to
tell.
"""

COMPLAINT = {
    "en": "is not in English; answer in English",
    "zh": "is not in Chinese; answer in Chinese (请用中文回答)",
}
"""The objection sent to the model, after the name of the field."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]{2,}")
_CODE = re.compile(r"\A[\w./:#-]*\Z", re.ASCII)
"""Ids, addresses, dates, times, and fields that take one of a few words."""


def complaint(lang: Lang, variables: Variables, reply: Any) -> str | None:
    """Return the objection to the first text of a reply that is not in `lang`, with the name of its
    field; None if all are. `reply` is its JSON; names in `variables` do not count.
    """
    suspects = [
        (field, text) for field, text in _texts(reply) if _foreign_units(lang, text) >= MIN_UNITS
    ]
    names = tuple(_names(variables)) if suspects else ()
    return next(
        (f"{field} {COMPLAINT[lang]}" for field, text in suspects if is_foreign(lang, text, names)),
        None,
    )


def is_foreign(lang: Lang, text: str, names: Iterable[str] = ()) -> bool:
    """Return True if a text, without the `names` in it, is in the other language than `lang`.

    >>> is_foreign("zh", "Let us meet at the café at noon."), is_foreign("zh", "我在学 Python 和 machine learning。")
    (True, False)
    >>> is_foreign("en", "我们中午在咖啡馆见。"), is_foreign("en", "See you at noon, 王芳!")
    (True, False)
    """
    if _CODE.match(text):
        return False
    for name in names:
        text = text.replace(name, " ")
    foreign = _foreign_units(lang, text)
    own = _foreign_units("zh" if lang == "en" else "en", text)
    return foreign >= MIN_UNITS and foreign > own


def _foreign_units(lang: Lang, text: str) -> int:
    """Count the units of a text in the other language than `lang`."""
    if lang == "zh":
        return len(_WORD.findall(text))
    return 0 if text.isascii() else len(_HAN.findall(text))


def _names(variables: Variables) -> Iterator[str]:
    """Yield the names of people in the prompt, longest first, so that a short name does not split a
    longer one.
    """
    situation = variables.situation
    known = {situation.me.name, *(name for _, name in situation.names)}
    yield from sorted(known - {""}, key=lambda name: (-len(name), name))


def _texts(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield all texts in a reply with the dotted names of their fields."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(part, f"{field}.{name}" if field else name)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _texts(part, f"{field}.{number}")
