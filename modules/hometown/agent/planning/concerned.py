"""The residents whom an act or an intention concerns."""

from __future__ import annotations

import re
from functools import lru_cache

from hometown.agent.mind import Mind
from hometown.agent.mind.meant import meant_part, seeks_anyone
from hometown.agent.planning.known_rooms import find_named
from hometown.text import catalogue
from hometown.world.resident_names import name_kin, resident_names
from hometown.world.world import World


def find_concerned(mind: Mind, text: str) -> list[str]:
    """Return the other residents whom an act or an intention concerns: not those whom it leaves
    out, as in "will not tell Tom" or "would rather not ask Tom", nor those to whom it is promised
    to do something for others, owners of things, and names in notices. The resident's relatives may
    be called by a term of kinship.
    """
    return list(_find_concerned(mind.world, mind.who, text))


@lru_cache(maxsize=8192)
def _find_concerned(world: World, who: str, text: str) -> tuple[str, ...]:
    """Return the residents, other than `who`, whom a text of theirs names in the clauses that it
    means; no owners of things and no names in a notice, unless the text is about a gift or about
    speaking.
    """
    text = name_kin(world, who, text)
    texts, speech = catalogue(world.lang, "mind"), catalogue(world.lang, "outside")["speech"]
    meant = _without_third_persons(world, meant_part(_without_promisee(world, text), world.lang))
    if not re.search(f"{texts['gift_words']}|{speech}", meant, re.IGNORECASE):
        if re.search(texts["notices"], meant, re.IGNORECASE):
            return ()
        if not re.search(texts["concerns_owner"], meant, re.IGNORECASE):
            meant = _without_owners(world, meant)
    return tuple(each for each in find_named(world, (meant,)) if each != who)


def find_anyone(mind: Mind, text: str) -> tuple[str, ...]:
    """Return the residents awake in the room whom an act that names no person may address, without
    those whom it names otherwise.
    """
    if not seeks_anyone(text, mind.world.lang):
        return ()
    named = find_named(mind.world, (text,))
    return tuple(who for who in mind.awake_company if who not in named)


def _without_promisee(world: World, text: str) -> str:
    """Return a promise without the names of its recipients, unless a pronoun in it refers to them;
    any other text unchanged.
    """
    texts = catalogue(world.lang, "mind")
    promised = re.sub(texts["promised_to"], "", text, count=1, flags=re.IGNORECASE)
    return text if re.search(texts["promisee"], promised, re.IGNORECASE) else promised


def _without_third_persons(world: World, text: str) -> str:
    """Return a text without the residents for whom or about whom another speaks, as in "on behalf of
    Lin", "about Lin" or "telling Mei that Lin is ill".
    """
    texts, names = catalogue(world.lang, "mind"), _join_names(world)
    text = re.sub(texts["told_of"].format(names=names), r"\1", text, flags=re.IGNORECASE)
    return re.sub(texts["third_persons"].format(names=names), "", text, flags=re.IGNORECASE)


def _without_owners(world: World, text: str) -> str:
    """Return a text without the names of residents as owners of things."""
    mark = catalogue(world.lang, "mind")["owner_mark"]
    return re.sub(f"(?:{_join_names(world)}){mark}", "", text)


@lru_cache(maxsize=8)
def _join_names(world: World) -> str:
    """Return the alternatives of a pattern for any resident's name, the longest first."""
    return "|".join(sorted(map(re.escape, resident_names(world)), key=len, reverse=True))
