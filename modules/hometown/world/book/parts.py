"""The entries, as pydantic models, that authors write in a world's folder `society`: `kinds.json`,
`fixtures.json`, `components.json`, `recipes.json`, `realms.json`, `memory_kinds.json`,
`needs.json`, `feelings.json`, `regards.json`, `temperaments.json`, `calendar.json` and
`start.json`.

Amounts of goods are integers, and each kind weighs an integer number of grams. Needs range from 0
to 1000. The amount `"rest"` of the kind `nature` is as many grams as balance a recipe.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from hometown.clock import DAY
from hometown.world.authored import AuthoredModel, Minute, Name, Patterns, Text, Texts, Weekday
from hometown.world.feeling import Stir, Tone

FULL = 1000
"""The highest level of a need."""

MOST_GRAMS = 10**9

WITHIN = " > "
"""Separates a holder from the kind of an item in it, in `stocks` of `start.json`."""

Count = Annotated[int, Field(ge=1, le=MOST_GRAMS)]
Level = Annotated[int, Field(ge=0, le=FULL)]
Rate = Annotated[int, Field(ge=-FULL, le=FULL)]
Points = Annotated[int, Field(ge=-100, le=100)]
Strength = Annotated[int, Field(ge=1, le=FULL)]
Amounts = dict[str, Count | Literal["rest"]]


ComponentValue = int | str | bool | None
ComponentValues = dict[str, ComponentValue]


class ComponentPart(AuthoredModel):
    """A component of kinds or fixtures: the fields that it gives a `kind` or a `fixture` with it,
    and the `recipes` that it brings, by id.

    `values` are its values with their defaults; without a default, null, a field with that value
    is left out. Those in `required` must be given. In all fields, `$name` stands for a value,
    `$id` for the entry's id, and `$name_en` and `$name_zh` for its name.
    """

    values: ComponentValues = Field(default_factory=dict)
    required: frozenset[str] = frozenset()
    kind: dict[str, Any] = Field(default_factory=dict)
    fixture: dict[str, Any] = Field(default_factory=dict)
    recipes: dict[str, dict[str, Any]] = Field(default_factory=dict)


class KindPart(AuthoredModel):
    """A kind of goods: the weight of one of it, and the points by which using one up raises each
    need.

    `some` is the text for one or some of it, "a loaf"; the default is "some" and its name.
    `several` is the text for a number, "{count} loaves"; the default is the number and its name.

    With `item`, each one is an individual thing. It breaks after `wears` uses; it then `leaves`
    goods, and the rest returns to nature. It `holds` so many grams of goods, hidden if it is
    `closed`. Its `components` are in `components.json`, each with its values.
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
    components: dict[str, ComponentValues] = Field(default_factory=dict)


class ShopPart(AuthoredModel):
    """The goods that a fixture sells at their initial prices in coins, and its opening hours.

    The owner wants a stock for `cover` days: prices rise if there is less, and fall if there is
    more.
    """

    sells: dict[str, Count] = Field(min_length=1)
    opens: Minute = 0
    closes: Minute = DAY
    cover: int = Field(2, ge=1, le=365)


class FixturePart(AuthoredModel):
    """A thing of the map that holds goods or that recipes need, identified by tags. Without an
    owner, a resident or a house, all residents may use it.

    It `serves` so many workers at a time. If it is `closed`, its contents are hidden until a
    resident looks. On weekdays in `closed_on`, it is out of use and sells nothing. Its
    `components` are in `components.json`, each with its values.
    """

    tags: tuple[str, ...] = ()
    serves: int = Field(1, ge=1, le=100)
    holds: int = Field(0, ge=0, le=MOST_GRAMS)
    closed: bool = False
    owner: str = ""
    shop: ShopPart | None = None
    closed_on: tuple[Weekday, ...] = Field((), max_length=6)
    components: dict[str, ComponentValues] = Field(default_factory=dict)


class AfterPart(AuthoredModel):
    """The duration of the process that follows a recipe's work at the fixture.

    `weather` is the loss of products for each day of a kind of weather, in thousandths. They return
    to nature.
    """

    days: int = Field(0, ge=0, le=365)
    hours: int = Field(0, ge=0, le=23)
    weather: dict[str, Level] = Field(default_factory=dict)


class ChancePart(AuthoredModel):
    """The odds of success, in thousandths: `base`, and up to so much more for `skill` and for each
    need, in proportion to the level.

    The best `mood` adds so much, and the worst subtracts it.
    """

    base: Level
    skill: Level = 0
    mood: Level = 0
    needs: dict[str, Level] = Field(default_factory=dict)


class FailurePart(AuthoredModel):
    """The recipe's `make` and `body` after a failure. Inputs that are not made into anything return
    to nature.
    """

    make: dict[str, Count] = Field(default_factory=dict)
    body: dict[str, int] = Field(default_factory=dict)


class RecipePart(AuthoredModel):
    """An activity: the words for it, the kind of fixture, the duration, the goods taken and made,
    and its effect on needs.

    A `tool` is a tag of kinds. One with that tag must be in the fixture or the bag, and wears by
    use.

    A `take` with a tag, `#edible`, stands for each kind with that tag, and the effects of using it
    up are added to `body`. `doing` describes the activity, with `{some}` for goods of that kind;
    the default is made of the first of `says`. `did` describes a day's result, with `{made}` for
    the products, "baked {made}", and `{other}` for the partner. `poignancy` is that of a success.

    With a `partner`, two residents do it by agreement: one does this recipe and the other the
    partner's. The one with more of the `skill` does the recipe that `leads`. It `stirs` a feeling
    towards the other, a key of `feelings.json`. The skill `"*"`, also in `gains`, stands for each
    skill of another recipe. Care, a recipe with a partner that meets a need, takes no agreement: a
    resident who is well does it for another who ails. With a `chance`, it may fail. `gains` is the
    rise of skills after a success; by default `skill` rises by 4. One that `breaks` leads into the
    next realm of its skill.
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
    breaks: bool = False
    doing: Text | None = None
    did: Text | None = None
    poignancy: int = Field(1, ge=1, le=10)


class RealmPart(AuthoredModel):
    """A realm: a named stage of a `skill`, from the level `least` on.

    Practice leads up to it, and a recipe that `breaks` into it; that may be tried from `ready`
    points below. `odds` are added to those of the breakthrough, and `failure` to the effects on
    needs of one that fails.
    """

    name: Name
    skill: str
    least: Level
    ready: Level = 60
    odds: int = Field(0, ge=-FULL, le=FULL)
    failure: dict[str, int] = Field(default_factory=dict)


class MemoryKindPart(AuthoredModel):
    """A kind of memories, identified by words (patterns) in their texts, or the kind of all
    conversations (`talks`). One with neither is the kind of all other memories.
    """

    name: Name
    words: Patterns = Field(default_factory=dict)
    talks: bool = False


class NeedPart(AuthoredModel):
    """A need: its hourly changes, the levels at which it matters, the recipes that meet it, and the
    hourly changes of other needs while it is at 0.
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


class FeelingPart(AuthoredModel):
    """A feeling: the texts for it, alone and `towards` a resident, {who}; the stimuli that cause
    it, with strengths; the points an hour by which it fades; and the stimuli that end it.

    At full strength it shifts the mood by `pleasure`, `arousal` and `dominance`. A resident who
    feels it strongly speaks in its `tone`.
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


class RegardPart(AuthoredModel):
    """The effect of a stimulus on regard for the resident who causes it, and on trust in them."""

    regard: Points = 0
    trust: Points = 0


class TemperamentPart(AuthoredModel):
    """A trait of character, identified by words (patterns) in `innate`, and the mood to which it
    tends.
    """

    words: Patterns
    pleasure: Points
    arousal: Points
    dominance: Points


class SeasonPart(AuthoredModel):
    """A season of so many days. `weather` has the relative frequency of each kind of weather."""

    name: Name
    days: int = Field(ge=1, le=365)
    weather: dict[str, Count] = Field(default_factory=dict)


class ChillPart(AuthoredModel):
    """The chance of a chill at fixtures with one of the tags `at`: `often` in a thousand, with the
    effects `body` on needs.
    """

    at: tuple[str, ...] = Field(min_length=1)
    often: Level
    body: dict[str, int] = Field(min_length=1)


class WeatherPart(AuthoredModel):
    """A kind of weather, drawn for each day: its name ("rain"), and the sentence for it ("it
    rains").

    It may keep residents `indoors` in their leisure, and cause `chills` at work. `poignancy` is
    that of seeing it in the morning.
    """

    name: Name
    says: Text
    indoors: bool = False
    chills: ChillPart | None = None
    poignancy: int = Field(1, ge=1, le=10)


class CalendarFile(AuthoredModel):
    """The seasons in order, the first of which begins on the day of the world's start, and the
    kinds of weather.
    """

    seasons: dict[str, SeasonPart] = Field(min_length=1)
    weather: dict[str, WeatherPart] = Field(default_factory=dict)


class HousePart(AuthoredModel):
    """A household. Its residents share a purse and the contents of its fixtures. `home` is an
    arena.
    """

    home: str
    coins: int = Field(0, ge=0, le=MOST_GRAMS)


class DutyPart(AuthoredModel):
    """A resident's duty: to keep `count` of a kind at a fixture, or to do a recipe whenever it is
    possible.
    """

    keep: str = ""
    count: int = Field(0, ge=0)
    at: str = ""
    do: str = ""


class PersonPart(AuthoredModel):
    """A resident at the start: their house, the goods in their bag, their skills and duties."""

    house: str
    has: dict[str, Count] = Field(default_factory=dict)
    skills: dict[str, Level] = Field(default_factory=dict)
    duties: tuple[DutyPart, ...] = ()


class StartFile(AuthoredModel):
    """The start of a run: houses, residents, and initial stocks. A resident carries up to `bag`
    grams.

    The contents of an item are given by the path to it, `"farm/kitchen/larder > tin"` or `"ada >
    basket"`. With a `wage`, coins for an hour of work, rich houses hire residents of poor ones.
    """

    bag: Count = 40_000
    wage: int = Field(0, ge=0, le=MOST_GRAMS)
    houses: dict[str, HousePart] = Field(default_factory=dict)
    people: dict[str, PersonPart] = Field(default_factory=dict)
    stocks: dict[str, dict[str, Count]] = Field(default_factory=dict)
