"""Rules for drafting a law: a few forms of words, and nothing for any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import orjson

from hometown.language import Lang
from hometown.prompt.law_drafts import MOST_CHANGES, BookChange, BookEntry, LawReply, LawVars
from hometown.prompt.world_edits import WorldEditReply, WorldEditVars
from hometown.scripted.when import clock_of
from hometown.text import catalogue

LEAST_MINUTES = 20
"""The minutes of work from which it may be shortened."""

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def answer_law(v: LawVars, rng: Random, lang: Lang) -> LawReply:
    """Return a draft of a law, of at most `MOST_CHANGES` changes, by the first sentence form that
    matches the words; an empty draft if none does, and in place of a revision.
    """
    words, forms = v.words.casefold(), catalogue(lang, "lawmaking")
    begins = int(bool(re.search(forms["tomorrow"], words)))
    for form in (_close_fixtures, _change_hours, _change_price, _change_minutes, _forbid):
        changes = [] if v.faults else list(form(words, v, forms))
        if changes:
            return LawReply(changes=changes[:MOST_CHANGES], begins=begins)
    return LawReply(changes=[], begins=0)


def answer_world_edit(v: WorldEditVars, rng: Random, lang: Lang) -> WorldEditReply:
    """Return a change by which the goods that have risen most in price take a tenth less time to
    make, if no such change was proposed before; no change if no price has risen.
    """
    risen = [one for one in v.goods if one.price > one.usual]
    for one in sorted(risen, key=lambda each: -each.price / each.usual):
        entry = next((each for each in v.entries if _may_shorten(v, each, one.kind)), None)
        if entry and not v.faults:
            minutes = orjson.loads(entry.text)["minutes"] * 9 // 10
            return WorldEditReply(
                why=catalogue(lang, "lawmaking")["why"].format(
                    goods=one.name, price=one.price, usual=one.usual
                ),
                changes=[_make_change(entry, "minutes", minutes)],
            )
    return WorldEditReply(why="", changes=[])


def _may_shorten(v: WorldEditVars, entry: BookEntry, kind: str) -> bool:
    """Return True for a recipe that makes goods of a kind at a fixture in town, takes
    `LEAST_MINUTES` or longer, and was not to be changed before.
    """
    section, _, name = entry.path.partition("/")
    if section != "recipes" or any(f'"{name}"' in line for line in v.earlier):
        return False
    recipe = orjson.loads(entry.text)
    fixtures = "".join(each.text for each in v.entries if each.path.startswith("fixtures/"))
    return (
        kind in recipe.get("make", {})
        and recipe["minutes"] >= LEAST_MINUTES
        and (not recipe.get("at") or f'"{recipe["at"]}"' in fixtures)
    )


def _find_entries(v: LawVars, words: str, section: str) -> list[BookEntry]:
    """Return the entries of a section with the longest name that occurs in the words."""
    lengths: dict[str, int] = {}
    for entry in v.entries:
        if entry.path.startswith(f"{section}/"):
            lengths[entry.path] = max(
                (len(name) for name in entry.names if name and name.casefold() in words), default=0
            )
    longest = max(lengths.values(), default=0)
    return [entry for entry in v.entries if longest and lengths.get(entry.path) == longest]


def _find_shops(v: LawVars, words: str) -> list[BookEntry]:
    """Return the shops with the longest name that occurs in the words."""
    return [
        entry for entry in _find_entries(v, words, "fixtures") if "shop" in orjson.loads(entry.text)
    ]


def _make_change(entry: BookEntry, key: str, value: object) -> BookChange:
    return BookChange(entry=entry.path, key=key, value=orjson.dumps(value).decode())


def _close_fixtures(words: str, v: LawVars, forms: dict[str, str]) -> Iterator[BookChange]:
    """Yield the changes for `the mill is closed on Sundays`."""
    days = [
        day
        for day, name in zip(DAYS, forms["days"].split("|"), strict=True)
        if re.search(name, words)
    ]
    if days and re.search(forms["closed"], words):
        for entry in _find_entries(v, words, "fixtures"):
            said = orjson.loads(entry.text)
            if "shop" in said or "tags" in said:
                yield _make_change(entry, "closed_on", days)


def _change_hours(words: str, v: LawVars, forms: dict[str, str]) -> Iterator[BookChange]:
    """Yield the changes of opening and closing times for words such as "the mill opens at 8:00"."""
    for key in ("opens", "closes"):
        match = re.search(forms[key], words)
        if clock := _parse_clock(match["time"], v.situation.lang) if match else "":
            yield from (
                _make_change(entry, f"shop.{key}", clock) for entry in _find_shops(v, words)
            )


def _parse_clock(text: str, lang: Lang) -> str:
    """Return a written time as HH:MM, "" if no day has it; a number alone is a full hour."""
    return clock_of(re.sub("^[0-9]+(?=$| in )", r"\g<0>:00", text), lang)


def _change_price(words: str, v: LawVars, forms: dict[str, str]) -> Iterator[BookChange]:
    """Yield the changes for `a loaf costs 60 coins`, in every shop that sells it."""
    match = re.search(forms["price"], words)
    for kind in _find_entries(v, words, "kinds") if match else ():
        sold = kind.path.removeprefix("kinds/")
        shops = [
            entry
            for entry in v.entries
            if entry.path.startswith("fixtures/")
            and sold in orjson.loads(entry.text).get("shop", {}).get("sells", {})
        ]
        yield from (
            _make_change(entry, f"shop.sells.{sold}", int(match["price"]))
            for entry in shops
            if match
        )


def _change_minutes(words: str, v: LawVars, forms: dict[str, str]) -> Iterator[BookChange]:
    """Yield the changes for `milling takes 90 minutes`."""
    if match := re.search(forms["minutes"], words):
        yield from (
            _make_change(entry, "minutes", int(match["minutes"]))
            for entry in _find_entries(v, words, "recipes")
        )


def _forbid(words: str, v: LawVars, forms: dict[str, str]) -> Iterator[BookChange]:
    """Yield the changes for `nobody may bake any more`."""
    if re.search(forms["forbidden"], words):
        yield from (_make_change(entry, "", None) for entry in _find_entries(v, words, "recipes"))
