"""What can befall a town: happenings by the words that tell of them, and conditions of things with
what puts them right.

The kinds lie in `data/befalling/<lang>.json`, the same in each language but for their words; a
world may have conditions of its own (`authored.ConditionPart`). Words that no kind knows are taken
as they are: such a happening is seen where it is, and such a condition forbids nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import orjson

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.paths import DATA
from hometown.text import word_pattern
from hometown.world.activities import themes_of

MINUTES = 30
"""Game minutes for which a happening can be perceived that no kind knows better."""

DULL = 2
"""Weight up to which a condition is part of living."""


@frozen
class HappeningKind:
    """A kind of happening, recognised by `words` (regular expressions); `reach` is how far it is
    heard, in tiles: 0 if only seen.

    `weight` is how much it matters to whoever notices it, 1 to 10. It lasts `minutes`, or until
    somebody there has done something with one of the words `righted`.
    """

    key: str
    words: tuple[str, ...]
    weight: int
    reach: int
    minutes: int = MINUTES
    righted: tuple[str, ...] = ()

    def rights(self, activity: str) -> bool:
        """Whether an activity puts an end to it, by its words."""
        return (
            bool(self.righted) and word_pattern(self.righted).search(activity.lower()) is not None
        )


@frozen
class ConditionKind:
    """A kind of condition of things with one of `tags`, or of any thing without them, recognised by
    `words`.

    `weight` is how much it matters to whom it concerns, 1 to 10; 0 where a model has to say.
    `forbids`: the thing cannot be used. `remedy` is what is done about it, with {thing} for the
    name, and takes `minutes`; any activity with one of the words `righted` puts it right. Use for
    one of the themes `left_by` may leave the condition, worded as `state`.
    """

    key: str
    words: tuple[str, ...]
    tags: frozenset[str]
    weight: int
    forbids: bool
    remedy: str
    minutes: int
    righted: tuple[str, ...]
    left_by: frozenset[str] = frozenset()
    state: str = ""

    @property
    def dull(self) -> bool:
        """Whether it is part of living, so that nobody thinks twice of it."""
        return 0 < self.weight <= DULL

    def rights(self, activity: str) -> bool:
        """Whether an activity puts it right, by its words."""
        return word_pattern(self.righted).search(activity.lower()) is not None


@frozen
class _Kinds:
    happenings: tuple[HappeningKind, ...]
    conditions: tuple[ConditionKind, ...]
    otherwise: ConditionKind


@lru_cache(maxsize=2)
def _kinds(lang: Lang) -> _Kinds:
    """All kinds, read once."""
    raw = orjson.loads((DATA / "befalling" / f"{lang}.json").read_bytes())
    happenings = tuple(
        HappeningKind(
            **(row | {name: tuple(row[name]) for name in ("words", "righted") if name in row})
        )
        for row in raw["happenings"]
    )
    return _Kinds(
        happenings, tuple(map(_condition, raw["conditions"])), _condition(raw["otherwise"])
    )


def _condition(row: dict[str, Any]) -> ConditionKind:
    lists = {name: tuple(row[name]) for name in ("words", "righted")}
    return ConditionKind(
        **(row | lists | {name: frozenset(row[name]) for name in ("tags", "left_by")})
    )


def happening_kind(text: str, lang: Lang) -> HappeningKind | None:
    """The kind of happening that a text tells of; None if no kind knows its words.

    >>> [kind.key for text in ("A fire breaks out", "fireworks over the park", "a poem") if (kind := happening_kind(text, "en"))]
    ['fire', 'festive']
    """
    return next(
        (kind for kind in _kinds(lang).happenings if word_pattern(kind.words).search(text.lower())),
        None,
    )


def condition_kind(
    text: str, tags: frozenset[str], lang: Lang, own: Sequence[ConditionKind] = ()
) -> ConditionKind:
    """The kind of a condition of a thing with these tags, by its words; a world's `own` kinds come
    first.

    >>> condition_kind("out of order", frozenset({"stove"}), "en").forbids, condition_kind("full of frogs", frozenset(), "en").forbids
    (True, False)
    """
    kinds = (*own, *_kinds(lang).conditions)
    fitting = (kind for kind in kinds if not kind.tags or kind.tags & tags)
    return next(
        (kind for kind in fitting if word_pattern(kind.words).search(text.lower())),
        _kinds(lang).otherwise,
    )


def left_by_use(
    activity: str, tags: frozenset[str], lang: Lang, own: Sequence[ConditionKind] = ()
) -> ConditionKind | None:
    """The condition in which an activity may leave a thing with these tags; None if it leaves it as
    it was.

    >>> [kind.state for tag in ("bed", "sofa") if (kind := left_by_use("sleeping", frozenset({tag}), "en"))]
    ['unmade']
    """
    done = {theme.key for theme in themes_of(activity, lang)}
    return next(
        (
            kind
            for kind in (*own, *_kinds(lang).conditions)
            if kind.tags & tags and kind.left_by & done
        ),
        None,
    )
