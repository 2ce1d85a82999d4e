"""What the authors of a world write: the shape of `world.json`, of `residents/*.json`, and of the
map's properties.

A text is an object with one string per language, `{"en": "…", "zh": "…"}`; a list of texts
likewise. Every language that `world.json` lists must be there. Times are `HH:MM`, weekdays `mon` …
`sun`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)

from hometown.clock import hhmm, parse_hhmm
from hometown.language import Lang
from hometown.memory.concept import MemoryType
from hometown.name import compose, name_fault
from hometown.text import Phrase
from hometown.world.word_patterns import is_readable, read_patterns

START_FORMAT = "%Y%m%d-%H:%M"

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

T = TypeVar("T", str, list[str])


def _complete(texts: dict[str, T], info: ValidationInfo) -> dict[str, T]:
    """The texts, if there is one in every language that the world speaks."""
    wanted: tuple[str, ...] = (info.context or {}).get("langs", ())
    missing = [lang for lang in wanted if not texts.get(lang)]
    if missing:
        beside = Phrase(" beside {texts}", texts=list(texts)) if texts else ""
        raise ValueError(
            Phrase("has no text in {missing}; add it{beside}", missing=missing, beside=beside)
        )
    return texts


def _parallel(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """The lists, if each line of one has its like in the others."""
    if len({len(lines) for lines in texts.values()}) > 1:
        counts = " and ".join(f"{len(lines)} in {lang}" for lang, lines in texts.items())
        raise ValueError(Phrase("has {counts}; the lists must be equally long", counts=counts))
    return texts


def _minute(text: Any) -> int:
    try:
        return parse_hhmm(text)
    except (AttributeError, ValueError):
        raise ValueError(
            Phrase("{text!r} is not a time of day; write it like '06:30'", text=text)
        ) from None


def _moment(text: Any) -> datetime:
    try:
        return datetime.strptime(text, START_FORMAT)
    except (TypeError, ValueError):
        raise ValueError(
            Phrase("{text!r} is not a date and time; write it like '20250213-06:00'", text=text)
        ) from None


def _patterns(texts: dict[str, list[str]], info: ValidationInfo) -> dict[str, list[str]]:
    """The lists as patterns of words. Regular expressions of old worlds are translated; in the copy
    that a run carries, those that cannot be are left out.
    """
    context = info.context or {}
    read = {}
    for lang, words in texts.items():
        known = [word for word in words if is_readable(word)] if context.get("from_run") else words
        read[lang], warnings = read_patterns(known)
        context.get("warnings", []).extend(warnings)
    return read


def _named(texts: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """The names in Unicode's composed form, if they can be names; the copy that a run carries is
    taken as it is.
    """
    if (info.context or {}).get("from_run"):
        return texts
    named = {lang: compose(name) for lang, name in texts.items()}
    for fault in filter(None, map(name_fault, named.values())):
        raise ValueError(fault)
    return named


Text = Annotated[dict[str, str], AfterValidator(_complete)]
Name = Annotated[dict[str, str], AfterValidator(_complete), AfterValidator(_named)]
Texts = Annotated[dict[str, list[str]], AfterValidator(_complete)]
Parallel = Annotated[Texts, AfterValidator(_parallel)]
Patterns = Annotated[Texts, AfterValidator(_patterns)]
Minute = Annotated[
    int,
    BeforeValidator(_minute),
    PlainSerializer(hhmm, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": r"^\d{1,2}:\d{2}$"}),
]
Moment = Annotated[datetime, BeforeValidator(_moment)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Band(Part):
    """One line of the importance scale."""

    poignancy: int = Field(ge=1, le=10)
    deserves: Text


class GatheringPart(Part):
    """Where (an arena) and when the people of a storyline come together, for `spread.json` to tell
    who came.
    """

    place: str
    start: Moment
    end: Moment


class StorylinePart(Part):
    id: str
    title: Text
    keywords: Texts
    gathering: GatheringPart | None = None


class ConditionPart(Part):
    """A kind of condition of things with one of `tags` (of any thing without them):
    `befalling.ConditionKind` has the meaning of each field.
    """

    key: str
    words: Patterns
    tags: list[str] = []
    weight: int = Field(5, ge=1, le=10)
    forbids: bool = True
    remedy: Text
    minutes: int = Field(20, ge=1, le=720)
    righted: Patterns
    left_by: list[str] = []
    state: Text | None = None


class PastimePart(Part):
    """What anybody here may do in an idle hour, at a place with these tags."""

    activity: Text
    tags: list[str] = Field(min_length=1)
    tasks: Parallel


class WorldFile(Part):
    """`world.json`. `outdoors` names what no arena covers; `settings` are those that a town may
    carry (`TownSettings`).

    `premise` says what kind of world this is and who lives in it, where it is no small town of
    ordinary people. `lacks` are words, as patterns (`word_patterns`), for what there is not in it,
    such as telephones: the scripted model says nothing that has one of them. `pastimes` replace
    those that the scripted model knows for every world. `acquaintance` is the relation between
    residents whose files mention none; without it they are strangers.
    """

    name: Name
    langs: list[Lang] = Field(min_length=1)
    start: Moment
    outdoors: Text = {"en": "the streets", "zh": "街上"}
    premise: Text | None = None
    lacks: Patterns = {}
    acquaintance: Text | None = None
    rubric: list[Band] = Field(min_length=2)
    storylines: list[StorylinePart] = []
    conditions: list[ConditionPart] = []
    pastimes: list[PastimePart] = []
    settings: dict[str, Any] = {}


class HabitPart(Part):
    """One stretch of a usual day; without `days` it holds on all of them."""

    start: Minute
    end: Minute
    activity: Text
    place: str
    tasks: Parallel = {}
    days: list[Weekday] = []


class SeedPart(Part):
    """A memory to begin with. `predicate` and `object` make its triple; the subject is the resident
    unless given.
    """

    text: Text
    type: MemoryType = "thought"
    poignancy: int = Field(5, ge=1, le=10)
    about: list[str] = []
    subject: str = ""
    predicate: Text
    object: Text
    storyline: str = ""


class RelationPart(Part):
    """How a resident stands with another: what it would say of it, and how close from 0 (stranger)
    to 10.
    """

    text: Text
    closeness: int = Field(ge=0, le=10)


class ResidentFile(Part):
    """`residents/<id>.json`. `wake` and `bed` as usual; a `bed` before `wake` lies after midnight."""

    name: Name
    age: int = Field(ge=0, le=120)
    occupation: Text
    pronouns: Texts
    innate: Text
    learned: Text
    lifestyle: Text
    currently: Text
    daily_plan: Text
    wake: Minute
    bed: Minute
    home: str
    sleeps: str
    interests: Parallel
    habits: list[HabitPart] = Field(min_length=1)
    relations: dict[str, RelationPart] = {}
    knows: list[str] = []
    seeds: list[SeedPart] = []
    portrait: str = ""
    sprite: str = ""


class PlaceProperties(Part):
    """Properties of a sector or an arena in the map; `tags` are separated by commas."""

    en: str = ""
    zh: str = ""
    public: bool = True
    tags: str = ""


class ThingProperties(PlaceProperties):
    """Properties of a thing in the map; `components` is a JSON object for later rules.

    `facing` says which way who uses it looks: a letter of `udlr` or `.` for each of its tiles, rows
    parted by `/`.
    """

    idle_en: str = ""
    idle_zh: str = ""
    seats: int = Field(1, ge=1)
    facing: str = Field("", pattern="^[udlr./]*$")
    components: str = "{}"
