"""A moment of a run in words: place, activity and mood of each resident, and the goods in
stores.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import cast

from hometown.agent.mind.emotions import EVEN_MOOD_MAX, find_octant
from hometown.agent.mind.mood import current_mood
from hometown.frozen import frozen
from hometown.history.feelings import moods
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.book.book import COIN
from hometown.world.furnish import furnish_world
from hometown.world.matter import kind_of
from hometown.world.maze import Tile
from hometown.world.rows import Body
from hometown.world.world import World, sector_of


@frozen
class ResidentMoment:
    """A resident: their tile, activity and place in words, and their mood with its pleasure (-100
    to 100); "" and None without feelings. One who `is_away` is out of town and at no place.

    `portrait` and `sprite` are files of the world, None where it has none.
    """

    name: str
    tile: Tile
    doing: str
    place: str
    mood: str
    pleasure: int | None
    asleep: bool
    is_away: bool
    portrait: Path | None
    sprite: Path | None


@frozen
class StoreView:
    """The goods in a fixture, with the prices of those on sale; or, in one view, the coins of all
    houses.
    """

    name: str
    goods: str


@frozen
class TownMoment:
    """The town after a step. `world` is its folder and `size` that of its map in tiles; `title`
    names run and town, `when` the moment.
    """

    world: Path
    size: tuple[int, int]
    lang: Lang
    now: datetime
    title: str
    when: str
    people: tuple[ResidentMoment, ...]
    stores: tuple[StoreView, ...]


def describe_moment(run: RunReader, world: World, step: int) -> TownMoment:
    """Return the town of a run after a step, with all objects placed and laws enacted by then."""
    world = furnish_world(world, run.run.furniture(step))
    names, now = Names(world), run.moment(step)
    words = catalogue(world.lang, "picture")
    day = (now.date() - run.manifest.start.date()).days + 1
    when = words["when"].format(
        day=day,
        date=f"{now:%Y-%m-%d}",
        clock=f"{now:%H:%M}",
        season=_season(world, day - 1 + _late(run, world)),
    )
    people = tuple(
        _view_resident(run, names, world, who, step)
        for who in run.residents
        if who in world.personas
    )
    return TownMoment(
        world.folder,
        world.maze.size,
        world.lang,
        now,
        f"{run.manifest.name} · {world.name}",
        when,
        people,
        tuple(_stores(run, names, world, step)),
    )


def _late(run: RunReader, world: World) -> int:
    """Return the number of days by which a run begins after its world does."""
    return (run.manifest.start.date() - world.start.date()).days


def _season(world: World, day: int) -> str:
    """Return the name of the season on a day (0 is the world's first), with a separator before it;
    "" without a society.
    """
    book = world.book
    if book is None:
        return ""
    return f" · {book.calendar.seasons[book.season_on(day)].name[world.lang]}"


def _view_resident(
    run: RunReader, names: Names, world: World, who: str, step: int
) -> ResidentMoment:
    """Return a resident after a step. The mood is named by the octant of pleasure, arousal and
    dominance in which it lies, or as even if pleasure and arousal are weak.
    """
    body = cast(Body, run.row(keys.BODY.of(who), step))
    action = cast(Action, run.row(keys.ACTION.of(who), step))
    talking = run.row(keys.TALKING.of(who), step)
    persona = names.persona(who)
    words = catalogue(world.lang, "picture")
    doing = (
        words["talking"].format(name=names.person(talking.partner)) if talking else action.activity
    )
    feel = run.row(keys.FEEL.of(who), step)
    felt = (
        current_mood(world.temperaments[who], feel, run.moment(step))
        if who in world.temperaments and run.manifest.settings.faculties.feel
        else None
    )
    called, is_away = moods(run, names), action.kind == "away"
    return ResidentMoment(
        names.person(who),
        body.tile,
        doing,
        "" if is_away else names.place_at(body.tile, action.address),
        called[find_octant(felt) if max(abs(felt[0]), abs(felt[1])) >= EVEN_MOOD_MAX else ""]
        if felt
        else "",
        felt[0] if felt else None,
        action.kind == "sleep" and not body.path,
        is_away,
        world.folder / persona.portrait if persona and persona.portrait else None,
        world.folder / persona.sprite if persona and persona.sprite else None,
    )


def _name_fixture(world: World, address: str) -> str:
    """Return the name of a fixture, with its building if another fixture has the same name."""
    book, name = world.book, world.name_of(address)
    alike = [other for other in (book.fixtures if book else ()) if world.name_of(other) == name]
    return name if len(alike) < 2 else f"{name} · {world.name_of(sector_of(address))}"


def _stores(run: RunReader, names: Names, world: World, step: int) -> list[StoreView]:
    """Return the fixtures that hold or sell goods, in the order of the book, then one entry for the
    coins of all houses; none without a society.
    """
    book = world.book
    words = catalogue(world.lang, "picture")
    stores = list[StoreView]()
    if book is None:
        return []
    for address in book.fixtures:
        stock = run.row(keys.STOCK.of(address), step)
        shop = run.row(keys.SHOP.of(address), step)
        prices = dict(shop.prices) if shop else {}
        kinds = {
            kind_of(name): None for name, _ in (*(stock.goods if stock else ()), *prices.items())
        }
        listed = [
            words["priced" if kind in prices else "some"].format(
                kind=book.kinds[kind].name[world.lang],
                count=stock.count(kind) if stock else 0,
                price=prices.get(kind),
            )
            for kind in kinds
            if kind in book.kinds
        ]
        if listed:
            stores.append(StoreView(_name_fixture(world, address), words["separator"].join(listed)))
    coins = {house: run.row(keys.STOCK.of(f"house:{house}"), step) for house in book.start.houses}
    homes = {
        house: names.building(sector_of(part.home)) for house, part in book.start.houses.items()
    }
    purses = [
        words["coins"].format(house=homes[house], count=stock.count(COIN) if stock else 0)
        for house, stock in coins.items()
    ]
    if purses:
        stores.append(StoreView(words["purses"], words["separator"].join(purses)))
    return stores
