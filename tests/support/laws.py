"""The laws of the town, which hold after every step, whatever a model says."""

from __future__ import annotations

import itertools
import re

from hometown.agent.pairing import MOST
from hometown.clock import DAY, TICKS_PER_MINUTE
from hometown.game import Game
from hometown.world.conversation import Conversation
from hometown.world.effects import Began, Moved, TalkBegan

CONTROL = re.compile(r"[\x00-\x1f]")
"""Characters that would break a line."""


def laws(game: Game) -> None:
    """Nobody in a wall, in two places or in two talks; things hold no more than they can; schedules
    cover the day.
    """
    state, world = game.state, game.world
    for who in world.personas:
        body = state.body(who)
        assert world.maze.walkable(body.tile), f"{who} stands in a wall at {body.tile}"
        assert not body.using or who in state.thing(body.using).users
        talking = state.talking(who)
        if talking is not None:
            assert talking.partner != who
            facing = state.talking(talking.partner)
            assert facing is None or facing.talk == talking.talk
        check_plans(game, who)
        check_memories(game, who)
    for address, thing in world.things.items():
        users = state.thing(address).users
        assert len(users) == len(set(users)) <= thing.seats
        assert all(state.body(user).using == address for user in users)
    check_effects(game)


def check_plans(game: Game, who: str) -> None:
    """The schedule covers the day once; tasks are in order and within it; agreements are between
    people, at places.
    """
    state, world = game.state, game.world
    entries = state.schedule(who).entries
    assert (
        entries or (state.mind(who).planned is None and state.is_asleep(who)) or state.is_away(who)
    )
    assert not entries or (entries[0].start, entries[-1].end) == (0, DAY)
    assert all(entry.start < entry.end for entry in entries)
    assert all(one.end == other.start for one, other in itertools.pairwise(entries))
    tasks = state.tasks(who).items
    assert all(0 <= task.start < task.end <= DAY for task in tasks)
    assert all(one.end <= other.start for one, other in itertools.pairwise(tasks))
    for promise in state.promises(who).items:
        assert who in promise.people
        assert set(promise.people) <= world.personas.keys()
        assert not promise.address or promise.address in world.arenas
    address = state.action(who).address
    assert address in world.things or address in world.arenas


def check_memories(game: Game, who: str) -> None:
    """Poignancy is 1 to 10, evidence exists, and everything is on one line of text that can be
    written down.
    """
    memory, count = game.state.memory(who), game.state.mind(who).memories
    for concept in memory.concepts.values():
        assert 1 <= concept.poignancy <= 10
        assert all(1 <= evidence < concept.id <= count for evidence in concept.evidence)
        assert concept.text.encode()
        assert not CONTROL.search(concept.text)


def check_effects(game: Game) -> None:
    """What happened in the step: nobody began two talks, nobody went through walls, nobody went
    nowhere.
    """
    talking: list[str] = []
    for logged in game.log:
        effect = logged.effect
        if isinstance(effect, Moved):
            check_walk(game, effect)
        elif isinstance(effect, TalkBegan):
            talking += effect.talk.people
            check_talk(effect.talk)
        elif isinstance(effect, Began):
            assert effect.action.minutes >= 1
    if game.settings.turn_order == "simultaneous":
        assert len(talking) == len(set(talking)), "somebody is in two talks"


def check_talk(talk: Conversation) -> None:
    """Two to six people; each speaks only while it is there, and whoever joined has said something."""
    assert 2 <= len(talk.people) == len(set(talk.people)) <= MOST
    assert talk.people[:2] == (talk.opener, talk.partner)
    there = {one.who: range(one.came, one.left) for one in talk.presences}
    assert all(number in there[line.speaker] for number, line in enumerate(talk.lines))
    assert {*talk.people[2:]} <= {line.speaker for line in talk.lines}


def check_walk(game: Game, moved: Moved) -> None:
    """Tile by tile, one a tick, through nothing but open tiles."""
    assert moved.tick + len(moved.tiles) <= game.manifest.stride * TICKS_PER_MINUTE
    for one, other in zip(moved.tiles, moved.tiles[1:], strict=False):
        assert abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    assert all(game.world.maze.walkable(tile) for tile in moved.tiles)
