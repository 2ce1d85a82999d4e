"""Resolve names as users write them ("Isabella", "Hobbs Cafe", "咖啡馆") to ids, and parse "NAME:
TEXT" as an intervention.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache

from hometown.errors import BadInput
from hometown.name import compose, lookalike_key, name_fault
from hometown.text import N_, Phrase
from hometown.world.happening_course import change_course
from hometown.world.incidents import Course
from hometown.world.inner_voice import own_statement
from hometown.world.interventions import WORDLESS, Intervention, Kind
from hometown.world.load import load_resident_names, load_world
from hometown.world.unknown_names import find_nearest_names, find_unknown_name
from hometown.world.world import World

LONGEST = 500
"""The largest length of an intervention's text."""

SHOWN = 8
"""The largest number of names in an error message."""

UNKNOWN: dict[Kind, str] = {
    "tell": N_("nobody in {world} is called {name!r}{hint}"),
    "set": N_("no object in {world} is called {name!r}{hint}"),
    "event": N_("no place in {world} is called {name!r}{hint}"),
    "place": N_("no room in {world} is called {name!r}{hint}"),
    "remove": N_("no object in {world} is called {name!r}{hint}"),
    "leave": N_("nobody in {world} is called {name!r}{hint}"),
    "arrive": N_("nobody in {world} is called {name!r}{hint}"),
    "learn": N_("nobody in {world} is called {name!r}{hint}"),
}

OF_PEOPLE: frozenset[Kind] = frozenset({"tell", "leave", "arrive", "learn"})
"""The kinds whose target is a resident."""


class NameIndex:
    """The possible targets of a kind of intervention, by id, by name in any of the world's
    languages, and by part of a name.

    Case and accents are ignored. An id matches only itself, a full name precedes a part of one
    ("Isabella", "思远"), and a name in the town's own language those in others.
    """

    def __init__(self, kind: Kind, world: World) -> None:
        self._kind, self._world = kind, world
        self._written: dict[str, str] = {}
        self._whole: dict[str, set[str]] = defaultdict(set)
        self._divisible: set[str] = set()
        self._has_translations = False
        self._add(_names(kind, world))

    def _add(self, names: Iterable[tuple[str, str, bool]]) -> None:
        """Add names, as `_names` yields them, of targets that are present."""
        world = self._world
        present = {*world.personas, *world.arenas, *world.things} - world.gone
        for target, name, divisible in names:
            if target in present and name:
                plain = _plain(name)
                self._written.setdefault(plain, name)
                self._whole[plain].add(target)
                if divisible:
                    self._divisible.add(plain)

    def _add_translations(self) -> bool:
        """Add the names in other languages, for which the world's files are read again; return
        False if they had been added before.
        """
        if self._has_translations:
            return False
        self._has_translations = True
        self._add(_list_translations(self._kind, self._world))
        return True

    def __contains__(self, name: str) -> bool:
        """Return True if this is a full name."""
        plain = _plain(name)
        return plain in self._whole or (self._add_translations() and plain in self._whole)

    def resolve(self, name: str) -> str:
        """Return the id of a name. Raises BadInput for an unknown name, with the one probably
        meant, and for an ambiguous one, with up to `SHOWN` candidates.
        """
        targets = self._targets(_plain(name))
        if not targets and self._add_translations():
            targets = self._targets(_plain(name))
        if not targets:
            raise BadInput(
                UNKNOWN[self._kind],
                world=self._world.id,
                name=name[:80],
                hint=self._hint(_plain(name[:80])),
            )
        if len(targets) > 1:
            more = " …" if len(targets) > SHOWN else ""
            raise BadInput(
                "{name!r} is ambiguous, it could be {targets}{more}: write which one",
                name=name[:80],
                targets=self._write(targets[:SHOWN]),
                more=more,
            )
        return targets[0]

    def _write(self, targets: list[str]) -> list[str]:
        """Return targets as a user may write them: by their names where these mean nothing else, or
        by their ids.
        """
        names = {
            target: self._world.spot_names.get(target) or self._world.name_of(target)
            for target in targets
        }
        return [
            name if self._targets(_plain(name)) == [target] else target
            for target, name in names.items()
        ]

    def _targets(self, plain: str) -> list[str]:
        """Return the targets with a plain name as their id, or else as a full name, or else as part
        of a name; sorted.
        """
        whole = self._whole.get(plain, set())
        same_id = {target for target in whole if _plain(target) == plain}
        if same_id or whole:
            return sorted(same_id or whole)
        parts = {
            target
            for name in self._divisible
            if _is_part(plain, name)
            for target in self._whole[name]
        }
        return sorted(parts)

    def _hint(self, plain: str) -> Phrase:
        """Return a hint to append to an error: the name that was probably meant, or else up to
        `SHOWN` targets.
        """
        close = get_close_matches(
            plain, self._divisible if self._kind in OF_PEOPLE else self._whole, n=1, cutoff=0.5
        )
        if close:
            return Phrase("; did you mean {close!r}?", close=self._written[close[0]])
        targets = sorted(set().union(*self._whole.values()))
        shown = [
            self._world.name_of(target) if target in self._world.personas else target
            for target in targets[:SHOWN]
        ]
        return Phrase(
            "; there are {names}{more}", names=shown, more=" …" if len(targets) > SHOWN else ""
        )


@lru_cache(maxsize=8)
def _list_translations(kind: Kind, world: World) -> tuple[tuple[str, str, bool], ...]:
    """Return the names of a kind's targets in a world's other languages, as `_names` yields them."""
    others = [lang for lang in world.langs if lang != world.lang]
    if kind in OF_PEOPLE:  # whose names need no map
        return tuple(
            (who, name, True)
            for lang in others
            for who, name in load_resident_names(world.folder, lang).items()
        )
    return tuple(each for lang in others for each in _names(kind, load_world(world.folder, lang)))


def parse_intervention(kind: Kind, text: str, world: World) -> Intervention:
    """Return an intervention from the user's text. `world` is the present town.

    Raises BadInput for an unknown or ambiguous name, and for a missing, overlong or invalid text.
    """
    index = NameIndex(kind, world)
    if kind in WORDLESS:
        return Intervention(kind, index.resolve(text.strip()))
    head, words = _split(text, index)
    if head == text.strip() and head not in index:
        raise BadInput("{text!r} has no colon: write 'NAME: …'", text=text[:80])
    changes = ""
    if kind == "event":
        words, changes = _split_course(words)
        change_course(Course(), changes)
    target = index.resolve(head)
    words = one_line(words)
    if not words and kind != "set":
        raise BadInput(
            "{text!r} has no text after the name: write '{head}: …'", text=text[:80], head=head
        )
    if kind == "place":
        words = _thing_name(words, target, world)
    if kind == "tell":
        _refuse_unknown_name(words, world)
    memory = own_statement(words, world.personas[target]) if kind == "tell" else changes
    return Intervention(kind, target, words, memory=memory)


def _split_course(words: str) -> tuple[str, str]:
    """Return the text of an event, and the changes of its course behind it: the JSON from the first
    brace on, "" for none.

    >>> _split_course('a bear {"weight": 9}')
    ('a bear', '{"weight": 9}')
    """
    text, brace, changes = words.partition("{")
    return (text.strip(), brace + changes.strip()) if brace else (words, "")


def _refuse_unknown_name(words: str, world: World) -> None:
    """Raise BadInput, with the nearest names, for an inner voice that names a person whom nobody in
    town knows.
    """
    name = find_unknown_name(words, world)
    if not name:
        return
    if nearest := find_nearest_names(name, world):
        raise BadInput(
            "nobody in {world} is called {name!r}; did you mean {nearest}? Write that name, or put {name!r} in quotation marks if it is somebody elsewhere",
            world=world.id,
            name=name,
            nearest=nearest,
        )
    raise BadInput(
        "nobody in {world} is called {name!r}; write the name of a resident, or put {name!r} in quotation marks if it is somebody elsewhere",
        world=world.id,
        name=name,
    )


def _thing_name(words: str, arena: str, world: World) -> str:
    """Return the name of a thing that is to be placed. Raises BadInput for what is no name, and for
    one that only looks like another there.
    """
    name = compose(words)
    if fault := name_fault(name):
        raise BadInput(fault)
    for thing in world.things.values():
        if (
            thing.arena == arena
            and thing.name != name
            and lookalike_key(thing.name) == lookalike_key(name)
        ):
            raise BadInput(
                "{name!r} looks the same as {named!r}, which is there already; give another name",
                name=name,
                named=thing.name,
            )
    return name


def one_line(words: str) -> str:
    """Return words on one line. Raises BadInput for more than LONGEST characters, and for invalid
    text.
    """
    words = " ".join(words.split())
    if len(words) > LONGEST:
        raise BadInput(
            "{words!r}… has {count} characters; at most {most} are allowed",
            words=words[:40],
            count=len(words),
            most=LONGEST,
        )
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in words):
        raise BadInput("{words!r} has control characters: remove them", words=words[:80])
    return words


def _split(text: str, index: NameIndex) -> tuple[str, str]:
    """Return the longest known name before a colon, and the rest; by default split at the first
    colon.
    """
    cuts = [
        (text[: mark.start()].strip(), text[mark.end() :]) for mark in re.finditer("[:：]", text)
    ]
    first = cuts[0] if cuts else (text.strip(), "")
    return next((cut for cut in reversed(cuts) if cut[0] in index), first)


def _plain(name: str) -> str:
    """Return a name for comparison: in lower case, without accents.

    >>> _plain("Hobbs Café")
    'hobbs cafe'
    """
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", name.casefold())
        if unicodedata.category(letter) != "Mn"
    ).strip()


def _is_part(part: str, name: str) -> bool:
    """Return True if a part consists of whole words of a name; in Chinese of two or more
    characters.

    >>> _is_part("isabella", "isabella rodriguez"), _is_part("isa", "isabella rodriguez"), _is_part("思远", "陈思远")
    (True, False, True)
    """
    if len(part) > 1 and all("\u3400" <= letter <= "\u9fff" for letter in part):
        return part in name
    words = re.sub(r"[\W_]+", " ", name)
    return bool(part) and f" {part} " in f" {words} "


def _names(kind: Kind, world: World) -> Iterator[tuple[str, str, bool]]:
    """Yield (id, name, whether a part of the name suffices) of all targets of a kind."""
    if kind in OF_PEOPLE:
        for who, persona in world.personas.items():
            yield from ((who, who, False), (who, persona.name, True))
    if kind in ("event", "place"):
        for address, arena in world.arenas.items():
            sector = world.sectors[arena.sector]
            yield from (
                (address, name, False)
                for name in (address, world.place_name(address), sector.address)
            )
            yield from ((address, name, True) for name in (arena.name, sector.name))
    if kind in ("event", "set", "remove"):
        for address, thing in world.things.items():
            yield from (
                (address, address, False),
                (address, thing.name, True),
                (address, world.spot_names[address], False),
            )
