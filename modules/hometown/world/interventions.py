"""Interventions: a user's changes of a town, as data.

An intervention waits in the run's inbox until its step and then becomes effects
(`hometown.world.carrying_out`), so that resume, verify and fork treat it like any other event.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Literal

from hometown.errors import BadRun
from hometown.frozen import frozen
from hometown.world.incidents import Intervened
from hometown.world.world import World

Kind = Literal[
    "tell",
    "set",
    "event",
    "place",
    "remove",
    "leave",
    "arrive",
    "law",
    "learn",
    "visit",
    "walk",
    "say",
    "give",
]
WORDED: tuple[Kind, ...] = ("tell", "set", "event", "place", "remove", "leave", "arrive")
"""The kinds with one line of text; a `law` is a patch, and lessons come from a file."""

WORDLESS: frozenset[Kind] = frozenset({"remove", "leave", "arrive"})
"""The kinds without a text."""

VOICE_PREDICATE = "inner voice"
"""The predicate of the memory of an inner voice."""


@frozen
class Intervention:
    """A user's request.

        tell    `target` is a resident, `text` the words of the inner voice, and `memory` the memory of
                them, by default `text`
        set     `target` is a thing, `text` its state, "" for its usual one
        event   `target` is an arena or a thing, `text` the event, and `memory` the changes of its
                course in JSON; for an event that goes on, of its present course
        place   `target` is an arena, `text` the name of the thing
        remove  `target` is a thing
        leave   `target` is a resident, who leaves town
        arrive  `target` is a resident who has left town, and returns to that place
        law     `text` is a patch in JSON of the society's rules or of the residents, `memory` the
                announcement, "" for none; there is no target
        learn   `target` is a resident, `text` the passages in JSON by their numbers, and `memory` the
                name of their file
        visit   `target` is the id of a visitor who enters, and `text` their file in JSON
        walk    `target` is a visitor, `text` the arena to which they go, and `memory` the tile there
                ("column,row"), "" for any
        say     `target` is a visitor, `text` their words, "" to end the conversation, and `memory` the
                resident to whom they speak
        give    `target` is a visitor, `text` what they hand over, and `memory` the resident to whom

    It takes effect in step `step`, or in the first one after that; 0 is the next. `number` is its
    place in the inbox.
    """

    kind: Kind
    target: str
    text: str = ""
    step: int = 0
    number: int = 0
    memory: str = ""

    @property
    def remembered(self) -> str:
        """The text of the memory that a `tell` creates: `memory`, or else `text`."""
        return self.memory or self.text

    @property
    def effect(self) -> Intervened:
        """The effect that marks it as carried out."""
        return Intervened(self.number, self.kind, self.target, self.text, self.memory)


def summarize(request: Intervention | Intervened) -> str:
    """Return the text of an intervention in a few words: of what is learnt, the name of the file."""
    return request.memory if request.kind == "learn" else request.text


def refuse_unknown_target(world: World, intervention: Intervention) -> None:
    """Raise BadRun for an intervention with an unknown target, as after manual edits of the inbox."""
    if intervention.kind == "visit":
        return
    people, rooms, things = world.personas, world.arenas, world.things
    visitors = [who for who in people if world.is_visitor(who)]
    targets: dict[Kind, tuple[Container[str], ...]] = {
        "tell": (people,),
        "place": (rooms,),
        "event": (rooms, things),
        "set": (things,),
        "remove": (things,),
    }
    targets |= {"leave": (people,), "arrive": (people,), "law": (("",),), "learn": (people,)}
    targets |= {"walk": (visitors,), "say": (visitors,), "give": (visitors,)}
    if not any(intervention.target in known for known in targets[intervention.kind]):
        raise BadRun(
            "intervention {number} in the inbox is for {target!r}, which {world} does not have: remove its line",
            number=intervention.number,
            target=intervention.target,
            world=world.id,
        )
