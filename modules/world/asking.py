"""From what a user writes ("Isabella: …", "cafe/main/stove: broken") to an intervention in a town."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from modules.errors import BadInput
from modules.text import Phrase
from modules.world.faults import likely
from modules.world.interventions import Intervention, Kind
from modules.world.load import load_world
from modules.world.world import World

LONGEST = 500
"""Characters of what is said or of what happens."""

WHO_OR_WHAT: dict[Kind, str] = {
    "tell": "nobody in {world} is called {name!r}{hint}",
    "set": "no thing in {world} is called {name!r}{hint}",
    "event": "no place in {world} is called {name!r}{hint}",
    "place": "no room in {world} is called {name!r}{hint}",
    "remove": "no thing in {world} is called {name!r}{hint}",
}


def understood(kind: Kind, text: str, world: World) -> Intervention:
    """What is asked for. Residents and places are named by id or by name, in any of the world's languages.

    `world` is the town as it is furnished by now. Raises BadInput, naming likely ones, for a name that is unknown or has
    several meanings, and for a text that is missing or too long.
    """
    known = _names(kind, world)
    if kind == "remove":
        return Intervention(kind, _one(kind, text.strip(), known, world))
    head, said = _parted(text, known)
    target, said = _one(kind, head, known, world), " ".join(said.split())
    if not said and kind != "set":
        raise BadInput("{text!r} does not say what: write it after a colon, as in '{head}: …'", text=text[:80], head=head)
    if len(said) > LONGEST:
        raise BadInput("{said!r}… has {count} characters: {most} are the most", said=said[:40], count=len(said), most=LONGEST)
    if any(unicodedata.category(one) in ("Cc", "Cs") for one in said):
        raise BadInput("{said!r} has characters that are none: leave them out", said=said[:80])
    return Intervention(kind, target, said)


def _parted(text: str, known: dict[str, set[str]]) -> tuple[str, str]:
    """The longest known name before a colon, and what follows it; the first colon decides where no name is known."""
    cuts = [(text[: mark.start()].strip(), text[mark.end() :]) for mark in re.finditer("[:：]", text)]
    return next((cut for cut in reversed(cuts) if _plain(cut[0]) in known), cuts[0] if cuts else (text.strip(), ""))


def _one(kind: Kind, name: str, known: dict[str, set[str]], world: World) -> str:
    found = sorted(known.get(_plain(name), ()))
    if not found:
        raise BadInput(WHO_OR_WHAT[kind], world=world.id, name=name[:80], hint=likely(_plain(name[:80]), known) or _some(known))
    if len(found) > 1:
        raise BadInput("{name!r} could be {found}{more}: write the one you mean", name=name, found=found[:6], more=" …" if len(found) > 6 else "")
    return found[0]


def _plain(name: str) -> str:
    """A name as it is compared: in small letters, without accents.

    >>> _plain("Hobbs Café")
    'hobbs cafe'
    """
    return "".join(one for one in unicodedata.normalize("NFKD", name.casefold()) if unicodedata.category(one) != "Mn")


def _some(known: dict[str, set[str]]) -> Phrase:
    ids = sorted(set().union(*known.values()))
    return Phrase("; there are {ids}{more}", ids=ids[:8], more=" …" if len(ids) > 8 else "")


def _names(kind: Kind, world: World) -> dict[str, set[str]]:
    """Ids of what the town has, by all that they may be called, in small letters; an id means itself alone."""
    known: dict[str, set[str]] = defaultdict(set)
    there = {*world.personas, *world.arenas, *world.things} - world.gone
    for spoken in (world, *(load_world(world.folder, lang) for lang in world.langs if lang != world.lang)):
        for one, name in _called(kind, spoken):
            if one in there and name:
                known[_plain(name)].add(one)
    return {name: {one for one in found if _plain(one) == name} or found for name, found in known.items()}


def _called(kind: Kind, world: World) -> Iterator[tuple[str, str]]:
    """(id, name) of all that a kind of intervention may be about."""
    if kind == "tell":
        for who, persona in world.personas.items():
            yield from ((who, name) for name in (who, persona.name, persona.name.split()[0]))
    if kind in ("event", "place"):
        for address, arena in world.arenas.items():
            sector = world.sectors[arena.sector]
            yield from ((address, name) for name in (address, world.place_name(address), arena.name, sector.address, sector.name))
    if kind in ("event", "set", "remove"):
        for address, thing in world.things.items():
            yield from ((address, name) for name in (address, thing.name, world.spot_names[address]))
