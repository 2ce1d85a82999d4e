"""Pictures of things by name or tags, in English and Chinese, for things outside a map, such as
those that a user places.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from functools import cache

from hometown.authoring.art import furniture
from hometown.authoring.art.kinds import load_kinds
from hometown.authoring.word_tables import contains_word, read_word_table

LIKENESS = 0.5
"""Lowest overlap of tags (Jaccard) at which a thing counts as a kind."""


def thing_kind(name: str) -> str:
    """Return the kind of furniture that a name means, a key of `load_kinds`; "" if no word of the table is
    in it.

    >>> thing_kind("咖啡馆柜台后面"), thing_kind("cooking area"), thing_kind("flower bed"), thing_kind("orrery")
    ('counter', 'stove', 'flower_bed', '')
    """
    return _find_by_name("things", name)


def picture_kind(name: str, tags: Collection[str] = ()) -> str:
    """Return the kind, of a thing or a decoration, for a thing's picture, by its name or else by
    its tags; "" if there is none.

    >>> picture_kind("a grand piano"), picture_kind("旧书架"), picture_kind("television"), picture_kind("a secret")
    ('piano', 'bookshelf', 'tv', '')
    >>> picture_kind("grandfather's pride", ["tea", "rest", "chat", "seat", "table"])
    'tea_table'
    """
    return _find_by_name("decor", name) or thing_kind(name) or _find_by_tags(frozenset(tags))


@cache
def picture_png(kind: str) -> bytes:
    """Return the picture of a kind as a PNG: transparent, 32 pixels to a tile, cropped to its
    visible part. The thing stands on the lower edge.

    Raises KeyError for a kind that `picture_kind` never returns.
    """
    image = furniture.draw_thing(kind).image
    buffer = io.BytesIO()
    image.crop(image.getbbox()).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _find_by_name(rows: str, name: str) -> str:
    """Return the kind of the first row of a part of the table that has a word in the name; "" for
    none.
    """
    plain = name.replace("_", " ")
    return next(
        (
            str(row["kind"])
            for row in read_word_table("places")[rows]
            if contains_word(plain, [*row["en"], *row["zh"]])
        ),
        "",
    )


@cache
def _find_by_tags(tags: frozenset[str]) -> str:
    """Return the kind that shares most of the tags, "" if none shares half."""
    likeness = {
        kind: _overlap(tags, frozenset(tag.strip() for tag in given.tags.split(",")))
        for kind, given in load_kinds().items()
    }
    best = max(likeness, key=lambda kind: likeness[kind])
    return best if likeness[best] >= LIKENESS else ""


def _overlap(tags: frozenset[str], others: frozenset[str]) -> float:
    """Return the Jaccard index of two sets of tags."""
    return len(tags & others) / len(tags | others)
