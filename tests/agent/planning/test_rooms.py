"""Plans name the room of each hour, residents go there, and a closed door is remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.agent.mind import Mind
from hometown.agent.planning.known_rooms import (
    find_absent_keeper,
    find_keeper,
    find_named,
    find_named_people,
    list_known_rooms,
    may_enter,
)
from hometown.agent.planning.place_choice import best_place, known_places, spots
from hometown.clock import minute_of_day
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.schedule import (
    REMAINDER_MINUTES_MIN,
    Entry,
    PlacedEntry,
    Schedule,
    cover,
    planned_room,
)
from hometown.storage.codec import decode, encode
from hometown.world import keys
from hometown.world.clones import populate
from hometown.world.effects import Remembered
from hometown.world.load import load_world
from hometown.world.rows import Body
from hometown.world.work import workplace
from hometown.world.world import arena_of, sector_of
from tests.support.days import lived_day
from tests.support.town import live, minds_of, minitown, opened

NOON = datetime(2025, 2, 13, 12, 0)
DAY = date(2025, 2, 13)


def look(folder: Path, check: Callable[[Game], None]) -> None:
    """Check the town at the end of its first step."""
    live(folder, 1, after_each=check)


def test_a_room_whose_address_begins_that_of_a_habit_is_no_place_of_the_habit() -> None:
    arenas = {
        f"inn/room{number}": SimpleNamespace(public=False, sector="inn") for number in (1, 10)
    }
    me = SimpleNamespace(
        absent=(), home="flat/main", habits=[SimpleNamespace(place="inn/room10/desk")]
    )
    mind = cast("Mind", SimpleNamespace(world=SimpleNamespace(arenas=arenas), me=me))
    assert [may_enter(mind, arena) for arena in arenas] == [False, True]


def test_a_placed_entry_is_stored_and_read_with_its_room_and_an_entry_without() -> None:
    schedule = cover(
        DAY,
        [
            PlacedEntry(60, 120, "reading", room="library/hall"),
            PlacedEntry(120, 180, "reading", room="library/hall"),
            PlacedEntry(180, 240, "reading", room="cafe/main"),
        ],
        Entry(0, 1440, "sleeping", "sleep"),
    )
    assert [planned_room(entry) for entry in schedule.entries] == [
        "",
        "library/hall",
        "cafe/main",
        "",
    ]
    assert decode(Schedule, encode(schedule)) == schedule
    assert b"room" not in encode(schedule.entries[0])


def test_all_known_rooms_are_offered_with_what_they_are_to_the_resident(game: Game) -> None:
    for who in game.world.personas:
        mind = minds_of(game, [who])[who]
        rooms = list_known_rooms(mind)
        by_address = {room.address: room for room in rooms}
        assert len(by_address) == len(rooms)
        home = sector_of(mind.me.home)
        assert {room.address for room in rooms if room.role == "home"} == set(
            game.world.sectors[home].arenas
        )
        assert workplace(mind.me.habits, mind.me.home) in by_address
        assert {arena_of(habit.place) for habit in mind.me.habits} <= by_address.keys()
        visited = {name for room in rooms if room.role == "visit" for name in room.owners}
        assert {
            game.world.name_of(other)
            for other in mind.me.relations or {}
            if sector_of(game.world.personas[other].home) != home
        } <= visited


def test_the_planned_room_home_work_and_the_rooms_of_people_named_are_always_listed(
    game: Game,
) -> None:
    mind = minds_of(game, ["chen_siyuan"], NOON)["chen_siyuan"]
    for room in (each.address for each in list_known_rooms(mind)):
        listed = spots(mind, "looking for Wang Fang", "a free afternoon", room)
        arenas = {arena_of(spot.address) for spot in listed}
        work = workplace(mind.me.habits, mind.me.home)
        assert {room, work, "flower_shop/shop", "wang_home/living"} <= arenas
        assert "chen_home" in set(map(sector_of, arenas))
        places = known_places(mind, (room,))
        assert arena_of(best_place(mind, "having coffee", "", places, room)) == room


@pytest.mark.parametrize(("lang", "minutes"), [("en", 0), ("zh", 30)])
def test_people_are_sought_where_they_were_seen_else_where_they_usually_are(
    game: Game, lang: Lang, minutes: int
) -> None:
    """A usual hour that has begun since they were seen counts more."""
    world = minitown(lang)
    name = world.name_of("wang_fang")
    seen_at = NOON - timedelta(minutes=minutes)
    sighting = Concept(
        99, "event", name, "wang_fang", "", "", "park/grounds", 3, seen_at, NOON + timedelta(days=9)
    )
    found: list[tuple[str, ...]] = []

    at = NOON.replace(hour=21)
    noon, evening = (minds_of(game, ["chen_siyuan"], when)["chen_siyuan"] for when in (NOON, at))
    for mind in (noon, evening):
        found.extend(one.rooms for one in find_named_people(mind, f"visiting {name}"))
    noon.do(Remembered(noon.who, sighting), "rule:test")  # what happens in the same step
    found.extend(one.rooms for one in find_named_people(noon, f"visiting {name}"))
    game.state.memory(noon.who).add(sighting, None)
    later = minds_of(game, [noon.who], NOON)[noon.who]
    found.extend(one.rooms for one in find_named_people(later, f"visiting {name}"))
    assert found == [
        ("square/plaza", "flower_shop/shop", "wang_home/living"),
        ("wang_home/living", "flower_shop/shop"),
        ("square/plaza", "flower_shop/shop", "wang_home/living"),
        ("square/plaza", "flower_shop/shop", "wang_home/living", "park/grounds")
        if minutes
        else ("park/grounds", "square/plaza", "flower_shop/shop", "wang_home/living"),
    ]


def test_first_names_name_a_resident_if_they_are_unique() -> None:
    world = minitown("en")
    people = {
        "ann": replace(world.personas["lin_yue"], id="ann", name="Ann Park"),
        "bob": replace(world.personas["lin_yue"], id="bob", name="Bob Park"),
        "bo": replace(world.personas["lin_yue"], id="bo", name="Bob Hall"),
    }
    named = replace(world, personas=people)
    assert find_named(named, ("lunch with Ann and Bob",)) == ("ann",)
    assert find_named(named, ("lunch with Bob Hall", "Annabel")) == ("bo",)


@pytest.mark.parametrize(
    ("lang", "text", "named"),
    [
        ("en", "handing Siyuan his box", ("chen_siyuan",)),
        ("en", "asking Mei and Professor Zhang", ("xiao_mei", "zhang_wei")),
        ("en", "buying roses at Fang's Flowers", ()),
        ("zh", "把饭盒塞给小陈", ("chen_siyuan",)),
        ("zh", "看芳姐跳舞，请张教授来", ("wang_fang", "zhang_wei")),
        ("zh", "当小老板", ()),
    ],
)
def test_residents_are_known_by_every_form_of_their_name(
    lang: Lang, text: str, named: tuple[str, ...]
) -> None:
    assert set(find_named(minitown(lang), (text,))) == set(named)


@pytest.mark.parametrize("lang", LANGS)
def test_a_shop_whose_keeper_is_away_is_said_to_have_nobody_to_serve(
    game: Game, lang: Lang
) -> None:
    """Known by sight, by the last sighting, and else by what the keeper usually does at the hour."""
    shop, world = "flower_shop/shop", minitown(lang)
    assert find_keeper(world, shop) == "wang_fang"
    assert find_keeper(world, "park/grounds") == find_keeper(world, "wang_home/living") == ""
    found: list[str] = []

    def look_for(minutes: int) -> str:
        when = datetime(2025, 2, 13) + timedelta(minutes=minutes)
        mind = minds_of(game, ["chen_siyuan"], when)["chen_siyuan"]
        keeper = find_absent_keeper(mind, shop)
        return f"{keeper.keeps}: {keeper.place}" if keeper else ""

    found.extend((look_for(11 * 60 + 30), look_for(20 * 60), look_for(22 * 60 + 30)))
    sighting = Concept(
        99,
        "event",
        "…",
        "wang_fang",
        "",
        "",
        "park/grounds",
        3,
        datetime(2025, 2, 13, 11, 10),
        datetime(2025, 3, 1),
    )
    game.state.memory("chen_siyuan").add(sighting, None)
    found.append(look_for(11 * 60 + 30))
    florist = minds_of(game, ["wang_fang"])["wang_fang"]
    assert find_absent_keeper(florist, shop) is None
    name = world.place_name(shop)
    assert found == [
        "",
        f"{name}: {world.place_name('square/plaza')}",
        f"{name}: {world.place_name('wang_home/living')}",
        f"{name}: {world.place_name('park/grounds')}",
    ]


def test_residents_go_to_the_rooms_that_they_have_planned(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """By far the most: what an appointment or a talk shortens may be left out."""
    went: dict[tuple[str, int], set[str]] = {}
    plans: dict[tuple[str, int], str] = {}

    with opened(lived_day(tmp_path_factory)) as run:
        for state in map(run.restore, range(1, 61)):
            for who in run.manifest.residents:
                schedule = state.schedule(who)
                if not schedule.entries:
                    continue
                entry = schedule.at(minute_of_day(state.clock.now) - 1)
                is_worthwhile = entry.end - entry.start >= REMAINDER_MINUTES_MIN
                if is_worthwhile and (room := planned_room(entry)):
                    plans[who, entry.end] = room
                    address = arena_of(state.action(who).address)
                    went.setdefault((who, entry.end), set()).add(address)
    kept = [room in went[key] for key, room in plans.items()]
    assert len(kept) > 30
    assert sum(kept) >= 0.95 * len(kept)


def test_a_visitor_whom_nobody_lets_in_stays_outside_remembers_it_and_does_something_else(
    tmp_path: Path,
) -> None:
    visit = PlacedEntry(370, 480, "visiting Wang Fang", room="wang_home/living")

    def prepare(game: Game) -> None:
        if game.state.clock.step != 1:
            return
        day = Schedule(
            DAY, (Entry(0, 370, "sleeping", "sleep"), visit, Entry(480, 1440, "resting"))
        )
        game.state.put(keys.SCHEDULE.of("chen_siyuan"), day)
        mind = game.state.mind("chen_siyuan")
        game.state.put(keys.MIND.of("chen_siyuan"), replace(mind, planned=DAY))
        square = game.world.open_tiles["square/plaza"][0]
        game.state.put(keys.BODY.of("wang_fang"), Body(square))
        away = Action("away", "out of town", "wang_home/living", 1, started=NOON)
        game.state.put(keys.ACTION.of("wang_fang"), away)

    refused, texts, planned = set[str](), set[str](), set[str]()

    def check(game: Game) -> None:
        prepare(game)
        state = game.state
        refused.add(state.body("chen_siyuan").refused)
        planned.add(state.schedule("chen_siyuan").at(479).activity)
        texts.update(memory.text for memory in state.memory("chen_siyuan").recent(("event",), 60))
        assert game.world.maze.arena_at(state.body("chen_siyuan").tile) != "wang_home/living"

    live(tmp_path, 12, after_each=check)
    assert "nobody answered the door of Wang Fang's home" in refused
    assert "Chen Siyuan called at Wang Fang's home, but nobody answered the door" in texts
    assert planned == {visit.activity, "taking some time off"}


def test_who_delivers_to_a_shop_does_not_keep_it() -> None:
    """The landlord who buys there does not stand in for a grocer who is out of town."""
    ville = load_world("ville", "zh")
    assert find_keeper(ville, "willows/market") == "tom_moreno"
    assert find_keeper(populate(ville, ["arthur_burton"]), "willows/market") == ""


@pytest.mark.parametrize("absent", [("Lin Yue",), ("Lin Yue (cousin)",), ()])
def test_the_room_of_a_housemate_who_is_out_of_town_is_not_entered(
    game: Game, absent: tuple[str, ...]
) -> None:
    (mind,) = minds_of(game, ["chen_siyuan"]).values()
    home = mind.world.arenas[arena_of(mind.me.home)]
    rooms = {**mind.world.arenas, "home/hers": replace(home, name="Lin Yue's room", public=False)}
    world = replace(mind.world, arenas=rooms)
    them = SimpleNamespace(world=world, me=replace(mind.me, absent=absent))
    assert may_enter(cast(Mind, them), "home/hers") == (not absent)
