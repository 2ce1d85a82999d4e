"""Kinds of happenings, and of conditions of things, recognised by words, with their remedies.

The kinds lie in `data/befalling/<lang>.json`, the same in each language apart from the words. A
world may add conditions (`authored.ConditionPart`). The course of a user's happening is drafted by
the model; these kinds are its defaults. Unrecognised conditions forbid nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache

import orjson

from hometown.frozen import frozen
from hometown.json_object import Json
from hometown.language import Lang
from hometown.paths import DATA
from hometown.text import word_pattern
from hometown.world.activities import themes_of
from hometown.world.incidents import Course, Happening, UnfoldingHappening

DULL = 2
"""The weight up to which a condition is ordinary."""


@frozen
class HappeningKind:
    """A kind of happening, recognised by `words` (regular expressions), with its usual course.

    `righted` are words of activities that help to end it, for a town without a language model.
    """

    words: tuple[str, ...]
    course: Course
    righted: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of the kind."""
        return self.course.key

    @property
    def weight(self) -> int:
        """The importance of such a happening to those who notice it, 1 to 10."""
        return self.course.weight

    @property
    def over(self) -> str:
        """The text of such a happening's end; "" if there is no apt one."""
        return self.course.over

    def rights(self, activity: str) -> bool:
        """Return True if an activity helps to end such a happening, by its words."""
        return (
            bool(self.righted) and word_pattern(self.righted).search(activity.lower()) is not None
        )

    def is_opposed_in(self, text: str) -> bool:
        """Return True if a text names such a happening and an activity that helps to end it."""
        return word_pattern(self.words).search(text.lower()) is not None and self.rights(text)


@frozen
class ConditionKind:
    """A kind of condition of things with one of `tags`, or of any thing, recognised by `words`.

    Attributes:
        weight: Its importance to those concerned, 1 to 10; 0 if a model decides.
        forbids: Whether the thing is unusable.
        remedy: The activity that ends it, with {thing} for the name; it takes `minutes`.
        righted: The words of activities that end it.
        left_by: The themes of activities that may cause it, with the text `state`.
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
        """True if the condition is ordinary and deserves no thought."""
        return 0 < self.weight <= DULL

    def rights(self, activity: str) -> bool:
        """Return True if an activity ends such a condition, by its words."""
        return word_pattern(self.righted).search(activity.lower()) is not None


@frozen
class _Kinds:
    happenings: tuple[HappeningKind, ...]
    happening: HappeningKind
    conditions: tuple[ConditionKind, ...]
    otherwise: ConditionKind


@lru_cache(maxsize=2)
def _kinds(lang: Lang) -> _Kinds:
    """Return all kinds of happenings and conditions in a language, read once."""
    raw = orjson.loads((DATA / "befalling" / f"{lang}.json").read_bytes())
    return _Kinds(
        tuple(map(_happening, raw["happenings"])),
        _happening(raw["happening"]),
        tuple(map(_condition, raw["conditions"])),
        _condition(raw["otherwise"]),
    )


def _happening(row: Json) -> HappeningKind:
    course = {name: value for name, value in row.items() if name not in ("words", "righted")}
    means = tuple(row.get("means", ()))
    return HappeningKind(
        tuple(row["words"]), Course(**(course | {"means": means})), tuple(row.get("righted", ()))
    )


def _condition(row: Json) -> ConditionKind:
    lists = {name: tuple(row[name]) for name in ("words", "righted")}
    return ConditionKind(
        **(row | lists | {name: frozenset(row[name]) for name in ("tags", "left_by")})
    )


@lru_cache(maxsize=1 << 11)
def happening_kind(text: str, lang: Lang) -> HappeningKind | None:
    """Return the kind of happening that a text describes; None if it is not recognised, or is over.

    >>> texts = ("A fire breaks out", "fireworks over the park", "The fire is out", "a poem")
    >>> [kind.key for text in texts if (kind := happening_kind(text, "en"))]
    ['fire', 'festive']
    """
    lowered = text.lower()
    found = (kind for kind in _kinds(lang).happenings if word_pattern(kind.words).search(lowered))
    kind = next(found, None)
    return None if kind and kind.over and kind.over.lower() in lowered else kind


def usual_course(text: str, lang: Lang) -> Course:
    """Return the course of a happening by its words, for want of one that is drafted or given.

    >>> usual_course("A fire breaks out", "en").helpers, usual_course("A cow sings", "en").weight
    ('the fire brigade', 6)
    """
    return (happening_kind(text, lang) or _kinds(lang).happening).course


def course_of(happening: Happening, lang: Lang) -> Course:
    """Return the course of a happening; in runs of earlier versions, the usual one of its kind."""
    if isinstance(happening, UnfoldingHappening):
        return happening.course
    return usual_course(happening.text, lang)


def unfold(happening: Happening, since: datetime, lang: Lang) -> UnfoldingHappening:
    """Return a happening with its course; the same one if it has one already."""
    if isinstance(happening, UnfoldingHappening):
        return happening
    return UnfoldingHappening(
        happening.address,
        happening.text,
        happening.until,
        happening.reach,
        course=course_of(happening, lang),
        since=since,
    )


def begin_happening(address: str, text: str, course: Course, now: datetime) -> UnfoldingHappening:
    """Return a happening that begins now."""
    return UnfoldingHappening(
        address,
        text,
        now + timedelta(minutes=course.minutes),
        course.reach,
        course=course,
        since=now,
    )


def condition_kind(
    text: str, tags: frozenset[str], lang: Lang, own: Sequence[ConditionKind] = ()
) -> ConditionKind:
    """Return the kind of a condition of a thing with these tags; a world's `own` kinds come first.

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
    """Return the kind of condition that an activity may cause in a thing with these tags; None for
    none.

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
