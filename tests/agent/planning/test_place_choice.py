"""Which places a prompt lists: few, the right ones, and the same for the same."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from hometown.agent.acting import act
from hometown.agent.mind import Mind
from hometown.agent.planning import place_choice, place_fit
from hometown.agent.planning.known_rooms import receiving_room
from hometown.agent.planning.place_choice import (
    MAX_MEETING_PLACES,
    MAX_SPOTS,
    conversation_places,
    meeting_places,
    named_places,
    spots,
)
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.schedule import Entry, PlacedEntry, Schedule
from hometown.prompt.tasks import PlaceVars, Spot
from hometown.scripted.doing import answer_place
from hometown.world import keys
from hometown.world.rows import Known, Promise, Promises
from hometown.world.rows import KnownPlaces as PlacesRow
from hometown.world.world import arena_of, sector_of
from tests.support.town import live, minds_of, minitown

NIGHT = datetime(2025, 2, 13, 3, 0)


class NoChance(Random):
    """Chance that favours nothing."""

    def random(self) -> float:
        return 0.5


@pytest.mark.parametrize("lang", LANGS)
def test_the_scripted_model_chooses_from_the_short_list_what_it_would_from_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    alike: list[bool] = []

    def spy(mind: Mind, activity: str, entry: str, room: str) -> tuple[Spot, ...]:
        every, listed = (
            place_choice.as_spots(mind, place_choice.known_places(mind, {room} - {""})),
            spots(mind, activity, entry, room),
        )
        best = answer_place(
            PlaceVars(mind.situation, activity, entry, 10, mind.arena, every, "", room=room),
            NoChance(1),
            lang,
        )
        alike.append(every[best.place - 1] in listed)
        assert len(listed) <= MAX_SPOTS
        return listed

    monkeypatch.setattr(act, "spots", spy)
    live(tmp_path, 60, world=minitown(lang), settings={"thrift": {"places_with_tasks": False}})
    assert len(alike) > 80
    assert sum(alike) >= 0.96 * len(alike)


def knows_all(game: Game, who: str, *, backwards: bool = False) -> Mind:
    """A mind that has been everywhere, in one order or the other."""
    mind = minds_of(game, [who])[who]
    arenas = sorted(game.world.arenas, reverse=backwards)
    mind.state.put(keys.PLACES.of(who), PlacesRow(tuple(arenas)))
    for arena in arenas:
        mind.state.put(
            keys.KNOWN.of(who, arena),
            Known(
                tuple(
                    (one, "") for one in sorted(game.world.arenas[arena].things, reverse=backwards)
                )
            ),
        )
    return mind


def test_a_large_world_is_looked_at_by_quarters_and_ranks_places_alike(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    minds = [knows_all(game, who) for who in game.world.personas]
    listed = [
        spots(mind, activity, "a day off")
        for mind in minds
        for activity in ("having lunch", "reading in the library", "sleeping")
    ]
    place_fit.quarters_of.cache_clear()
    monkeypatch.setattr(place_fit, "UNDIVIDED_PLACES_MAX", 0)
    monkeypatch.setattr(place_fit, "QUARTER_TILES", 10)
    assert len({id(places) for places in place_fit.quarters_of(game.world).places.values()}) > 3
    assert listed == [
        spots(mind, activity, "a day off")
        for mind in minds
        for activity in ("having lunch", "reading in the library", "sleeping")
    ]
    place_fit.quarters_of.cache_clear()


def test_each_arena_stands_before_its_things_that_at_hand_first_and_the_order_of_knowing_does_not_matter(
    game: Game,
) -> None:
    for who in game.world.personas:
        listed = spots(knows_all(game, who), "having lunch", "lunch break")
        assert listed == spots(knows_all(game, who, backwards=True), "having lunch", "lunch break")
        addresses = [spot.address for spot in listed]
        assert len(set(addresses)) == len(addresses) <= MAX_SPOTS
        assert addresses[0] == knows_all(game, who).arena
        for at, address in enumerate(addresses):
            assert arena_of(address) in addresses[: at + 1]


@pytest.mark.parametrize(
    ("lang", "activity", "tag"),
    [
        ("en", "cooking dinner", "stove"),
        ("zh", "做晚饭", "stove"),
        ("en", "reading a novel", "books"),
    ],
)
def test_what_the_activity_needs_is_listed_and_at_home_too(
    game: Game, lang: Lang, activity: str, tag: str
) -> None:
    for who, me in game.world.personas.items():
        listed = spots(knows_all(game, who), activity, "")
        assert any(tag in spot.tags for spot in listed)
        assert any(spot.address.split("/")[0] == me.home.split("/")[0] for spot in listed)
        assert all(
            "sleep" not in game.world.things[spot.address].tags or spot.address == me.sleeps
            for spot in listed
            if spot.own
        )


@pytest.mark.parametrize("start", [NIGHT])
def test_what_one_uses_oneself_is_not_in_use_by_somebody_of_that_name(game: Game) -> None:
    """Neither the bed that one sits on, nor what one has left as one's own traces show."""

    for who, me in game.world.personas.items():
        mind = knows_all(game, who)
        left = next(
            one
            for one in game.world.arenas[arena_of(me.sleeps)].things
            if one != me.sleeps and "sleep" not in game.world.things[one].tags
        )
        shown = mind.words.say("in_use", name=me.name)
        mind.state.put(
            keys.KNOWN.of(who, arena_of(me.sleeps)), Known(((left, shown), (me.sleeps, shown)))
        )
        listed = {spot.address: spot for spot in spots(mind, "getting up", "getting up")}
        assert mind.state.body(who).using == me.sleeps
        assert (listed[me.sleeps].state, listed[me.sleeps].taken) == ("you are using it", False)
        assert (listed[left].state, listed[left].taken) == ("", False)


def test_places_that_are_spoken_of_are_offered_for_meeting(game: Game) -> None:
    mind = knows_all(game, next(iter(game.world.personas)))
    public = [
        arena
        for arena in game.world.arenas.values()
        if arena.public and not arena.address.startswith("outdoors/")
    ]
    assert {address for address, _ in meeting_places(mind, [])} <= {
        arena.address for arena in public
    }
    for arena in public:
        sector = game.world.sectors[arena.sector].name
        offered = meeting_places(mind, [f"See you at the {sector}!"])
        assert len(offered) <= MAX_MEETING_PLACES
        assert arena.address in {address for address, _ in offered}


@pytest.mark.parametrize("start", [NIGHT])
def test_the_places_that_can_be_meant_are_all_offered(game: Game) -> None:
    """Public places of a town of usual size, the places of the plan and of agreements, the homes of
    residents whom the plan or the talk names: nothing is hidden.
    """

    world = game.world
    mind = knows_all(game, "lin_yue")
    plan = (
        Entry(0, 240, "sleeping", "sleep"),
        PlacedEntry(240, 1200, "sketching", room="park/grounds"),
        Entry(1200, 1440, "eating soup with Wang Fang"),
    )
    mind.state.put(keys.SCHEDULE.of("lin_yue"), Schedule(NIGHT.date(), plan))
    agreed = Promise("chess", ("lin_yue", "zhang_wei"), "studio/meeting", NIGHT, 60, "1-talk")
    mind.state.put(keys.PROMISES.of("lin_yue"), Promises((agreed,)))
    offered = dict(conversation_places(mind, [], ["chen_siyuan", "zhao_gang"]))
    homes = {sector_of(persona.home) for persona in world.personas.values()}
    meant = {"lin_yue", "wang_fang", "zhao_gang", "chen_siyuan"}
    for who in meant:
        assert receiving_room(world, world.personas[who].home) in offered, who
    assert "studio/meeting" in offered
    public = {arena.address for arena in world.arenas.values() if arena.public}
    assert public - {"outdoors/outdoors"} <= set(offered)
    assert {sector_of(address) for address in offered} <= homes | {
        sector_of(address) for address in public
    }
    spoken = {address for address, _ in named_places(mind, ["Zhang Wei is at the café."])}
    assert {"cafe/main", "zhang_home/living"} <= spoken, "named in a talk: in its summary"
    houses = [sector_of(address) for address in offered]
    assert all(
        houses[at] not in houses[: at - 1] or houses[at] == houses[at - 1]
        for at in range(1, len(houses))
    ), "rooms of one house stand together"
