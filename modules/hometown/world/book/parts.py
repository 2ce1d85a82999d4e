"""What authors write in a world's folder `society`: the shape of each entry of `kinds.json`,
`fixtures.json`, `recipes.json`, `needs.json`, `feelings.json`, `regards.json` and
`temperaments.json`, and of `calendar.json` and `start.json`.

Goods are whole numbers of a kind, which weighs so many whole grams. Needs stand between 0 and 1000.
Where a recipe says `"rest"`, it is of the kind `nature`, and as many grams of it as the recipe
needs to balance.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hometown.clock import DAY
from hometown.world.authored import Minute, Name, Part, Patterns, Text, Texts, Weekday
from hometown.world.feeling import Stir, Tone

FULL = 1000
"""The highest level of a need."""

MOST_GRAMS = 10**9

WITHIN = " > "
"""Stands in `stocks` of `start.json` between what holds an item and the item's kind."""

Count = Annotated[int, Field(ge=1, le=MOST_GRAMS)]
Level = Annotated[int, Field(ge=0, le=FULL)]
Rate = Annotated[int, Field(ge=-FULL, le=FULL)]
Points = Annotated[int, Field(ge=-100, le=100)]
Strength = Annotated[int, Field(ge=1, le=FULL)]
Amounts = dict[str, Count | Literal["rest"]]


class KindPart(Part):
    """A kind of goods: what one of it weighs, and by how much using one up raises each need.

    `some` of it is "a loaf"; if not said, its name with "some". `several` of it are "{count}
    loaves"; if not said, its name with the number before it.

    With `item`, no two of it are alike. Such a thing may be worn out after `wears` times of work,
    of which it `leaves` something and the rest goes back to nature; and it may hold so many grams
    of goods, in which nobody sees what there is without looking if it is `closed`.
    """

    name: Name
    some: Text | None = None
    several: Text | None = None
    grams: Count
    tags: tuple[str, ...] = ()
    gives: dict[str, int] = Field(default_factory=dict)
    item: bool = False
    wears: int = Field(0, ge=0, le=10**6)
    leaves: dict[str, Count] = Field(default_factory=dict)
    holds: int = Field(0, ge=0, le=MOST_GRAMS)
    closed: bool = False


class ShopPart(Part):
    """What a fixture sells, each kind at the price in coins with which a run begins, and between
    which times.

    The owner wants to have what is sold in `cover` days: prices rise where there is less, and fall
    where there is more.
    """

    sells: dict[str, Count] = Field(min_length=1)
    opens: Minute = 0
    closes: Minute = DAY
    cover: int = Field(2, ge=1, le=365)


class FixturePart(Part):
    """A thing of the map that goods lie in or recipes need, recognised by its tags; without an
    owner, a house or a resident, it is everybody's.

    So many can be at work there at once as it `serves`. Where it is `closed`, nobody sees what is
    in it without looking. On the weekdays in `closed_on`, nobody works there and nothing is sold.
    """

    tags: tuple[str, ...] = ()
    serves: int = Field(1, ge=1, le=100)
    holds: int = Field(0, ge=0, le=MOST_GRAMS)
    closed: bool = False
    owner: str = ""
    shop: ShopPart | None = None
    closed_on: tuple[Weekday, ...] = Field((), max_length=6)


class AfterPart(Part):
    """What goes on by itself at the fixture once a recipe's work is done, for so long.

    `weather` says how many thousandths of what is made each day of a kind of weather costs; they go
    back to nature.
    """

    days: int = Field(0, ge=0, le=365)
    hours: int = Field(0, ge=0, le=23)
    weather: dict[str, Level] = Field(default_factory=dict)


class ChancePart(Part):
    """How often in a thousand times something succeeds: `base`, and up to so much more for `skill`
    and for each of the needs, in proportion to their level.

    In the best `mood` it is so much more, in the worst so much less.
    """

    base: Level
    skill: Level = 0
    mood: Level = 0
    needs: dict[str, Level] = Field(default_factory=dict)


class FailurePart(Part):
    """What takes the place of a recipe's `make` and `body` where it does not succeed. What was
    taken and is not made goes back to nature.
    """

    make: dict[str, Count] = Field(default_factory=dict)
    body: dict[str, int] = Field(default_factory=dict)


class RecipePart(Part):
    """Something that can be done: with which words it is meant, at which kind of fixture, for how
    long, out of what and to which end.

    A `tool` is a tag of kinds: one of them is at hand while it is done, in the fixture or the bag,
    and wears by it.

    A `take` that names a tag, `#edible`, stands for each kind that has it, and what using that up
    gives is added to `body`. `doing` words what somebody at it is doing, in which `{some}` is some
    of that kind; if not said, it is made of the first of `says`. `did` words that somebody has done
    it, in which `{made}` is all that came of it on a day, "baked {made}", and `{other}` the
    partner. `poignancy` is how much it means to have done it.

    With a `partner`, two do it together who have agreed on it: one does this, the other that
    recipe, and whoever is better at the `skill` does the one that `leads`; it `stirs` who does it,
    as in `feelings.json`, towards the other. The skill `"*"`, also in `gains`, stands for each that
    another recipe has. Such a recipe that raises health needs no agreement where one is ill and the
    other is near and well. With a `chance`, it may fail. `gains` says by how much which skills rise
    by doing it, where it succeeds; if not said, `skill` does by 4.
    """

    says: Texts
    at: str = ""
    minutes: int = Field(ge=1, le=DAY)
    take: Amounts = Field(default_factory=dict)
    make: Amounts = Field(default_factory=dict)
    tool: str = ""
    body: dict[str, int] = Field(default_factory=dict)
    skill: str = ""
    least: Level = 0
    season: tuple[str, ...] = ()
    after: AfterPart | None = None
    chance: ChancePart | None = None
    failure: FailurePart = FailurePart()
    gains: dict[str, Level] | None = None
    partner: str = ""
    leads: bool = False
    stirs: Stir | None = None
    doing: Text | None = None
    did: Text | None = None
    poignancy: int = Field(1, ge=1, le=10)


class NeedPart(Part):
    """A need: how fast it changes per hour, at which levels it counts, which recipes meet it, and
    what else falls by how much an hour while it is 0.
    """

    name: Name
    awake: Rate
    asleep: Rate
    low: Level = 350
    urgent: Level = 150
    wakes: Level = 60
    satisfied: Level = 800
    met_by: tuple[str, ...] = ()
    at_zero: dict[str, Rate] = Field(default_factory=dict)


class FeelingPart(Part):
    """A feeling: how it is said, alone and `towards` somebody, which {who} stands for; what stirs
    it, and how strongly; by how much an hour it fades, and what ends it, as far as that has to do
    with whom it is felt towards.

    At full strength it moves the mood by `pleasure`, `arousal` and `dominance`. Whoever feels it
    strongly speaks in its `tone`.
    """

    says: Text
    towards: Text | None = None
    when: dict[str, Strength] = Field(min_length=1)
    fades: Strength
    ends: tuple[str, ...] = ()
    pleasure: Points
    arousal: Points
    dominance: Points
    tone: Tone


class RegardPart(Part):
    """How something that stirs somebody, by another, changes what it thinks of that other: by how
    much its regard and its trust move.
    """

    regard: Points = 0
    trust: Points = 0


class TemperamentPart(Part):
    """A trait of character, recognised in `innate` by words (patterns), and the mood to which it
    draws.
    """

    words: Patterns
    pleasure: Points
    arousal: Points
    dominance: Points


class SeasonPart(Part):
    """A season of so many days. `weather` says how often each kind of weather comes, in proportion
    to the others.
    """

    name: Name
    days: int = Field(ge=1, le=365)
    weather: dict[str, Count] = Field(default_factory=dict)


class ChillPart(Part):
    """Who works in some weather at a fixture with one of the tags `at` may catch a chill: so often
    in a thousand times, and its needs then change so much.
    """

    at: tuple[str, ...] = Field(min_length=1)
    often: Level
    body: dict[str, int] = Field(min_length=1)


class WeatherPart(Part):
    """A kind of weather, one of which each day has: what it is called ("rain"), and how somebody
    would say that it is so ("it rains").

    It may keep people `indoors` in their leisure, and be one in which people at work catch
    `chills`; `poignancy` is how much it matters to see it in the morning.
    """

    name: Name
    says: Text
    indoors: bool = False
    chills: ChillPart | None = None
    poignancy: int = Field(1, ge=1, le=10)


class CalendarFile(Part):
    """The seasons in their order, the first of which begins on the day of the world's start, and
    the kinds of weather.
    """

    seasons: dict[str, SeasonPart] = Field(min_length=1)
    weather: dict[str, WeatherPart] = Field(default_factory=dict)


class HousePart(Part):
    """Those who live together share a purse, and what lies in fixtures of theirs. `home` is an
    arena.
    """

    home: str
    coins: int = Field(0, ge=0, le=MOST_GRAMS)


class DutyPart(Part):
    """What somebody sees to: that `count` of a kind lie at a fixture, or that a recipe is done
    whenever it can be.
    """

    keep: str = ""
    count: int = Field(0, ge=0)
    at: str = ""
    do: str = ""


class PersonPart(Part):
    house: str
    has: dict[str, Count] = Field(default_factory=dict)
    skills: dict[str, Level] = Field(default_factory=dict)
    duties: tuple[DutyPart, ...] = ()


class StartFile(Part):
    """How a run begins: who belongs to which house, and what lies where. A resident carries at most
    `bag` grams.

    What is in an item is said by the way to it: `"farm/kitchen/larder > tin"`, or `"ada > basket"`.
    With a `wage`, coins for an hour of work done, houses that have more coins than others hire
    people from houses that have few.
    """

    bag: Count = 40_000
    wage: int = Field(0, ge=0, le=MOST_GRAMS)
    houses: dict[str, HousePart] = Field(default_factory=dict)
    people: dict[str, PersonPart] = Field(default_factory=dict)
    stocks: dict[str, dict[str, Count]] = Field(default_factory=dict)
