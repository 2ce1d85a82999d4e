"""The files of a world's authors: the schema of `world.json`, `residents/*.json`, and the map's
properties.

A text is an object with one string per language, `{"en": "…", "zh": "…"}`; so is a list of texts.
Every language of `world.json` is required. Times are `HH:MM`, weekdays `mon` … `sun`.
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
from hometown.json_object import Json
from hometown.language import Lang
from hometown.memory.concept import MemoryType
from hometown.name import compose, name_fault
from hometown.text import N_, Phrase
from hometown.world.word_patterns import is_readable, read_patterns

START_FORMAT = "%Y%m%d-%H:%M"

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

WEEKDAY_NAMES = {
    "mon": Phrase(N_("Monday")),
    "tue": Phrase(N_("Tuesday")),
    "wed": Phrase(N_("Wednesday")),
    "thu": Phrase(N_("Thursday")),
    "fri": Phrase(N_("Friday")),
    "sat": Phrase(N_("Saturday")),
    "sun": Phrase(N_("Sunday")),
}
"""Names of the weekdays in messages, by their key in a habit."""

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

T = TypeVar("T", str, list[str])


def _require_all_languages(texts: dict[str, T], info: ValidationInfo) -> dict[str, T]:
    """Return the texts unchanged. Raises ValueError if a language of the world has none."""
    wanted: tuple[str, ...] = (info.context or {}).get("langs", ())
    missing = [lang for lang in wanted if not texts.get(lang)]
    if missing:
        beside = Phrase(" beside {texts}", texts=list(texts)) if texts else ""
        raise ValueError(
            Phrase("has no text in {missing}; add it{beside}", missing=missing, beside=beside)
        )
    return texts


def _require_equal_lengths(texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the lists unchanged. Raises ValueError if their lengths differ between languages."""
    if len({len(lines) for lines in texts.values()}) > 1:
        counts = " and ".join(f"{len(lines)} in {lang}" for lang, lines in texts.items())
        raise ValueError(Phrase("has {counts}; the lists must be equally long", counts=counts))
    return texts


def _parse_minute(text: Any) -> int:
    """Return a time like '06:30' as a minute of the day. Raises ValueError for anything else."""
    try:
        return parse_hhmm(text)
    except (AttributeError, ValueError):
        raise ValueError(
            Phrase("{text!r} is not a time of day; write it like '06:30'", text=text)
        ) from None


def _parse_moment(text: Any) -> datetime:
    """Return a text like '20250213-06:00' as a moment. Raises ValueError for anything else."""
    try:
        return datetime.strptime(text, START_FORMAT)
    except (TypeError, ValueError):
        raise ValueError(
            Phrase("{text!r} is not a date and time; write it like '20250213-06:00'", text=text)
        ) from None


def _read_patterns(texts: dict[str, list[str]], info: ValidationInfo) -> dict[str, list[str]]:
    """Return the lists as word patterns. Regular expressions of old worlds are translated; in a
    run's copy, untranslatable ones are dropped.
    """
    context = info.context or {}
    read = {}
    for lang, words in texts.items():
        known = [word for word in words if is_readable(word)] if context.get("from_run") else words
        read[lang], warnings = read_patterns(known)
        context.get("warnings", []).extend(warnings)
    return read


def _check_names(texts: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Return the names in Unicode's composed form; those of a run's copy unchanged. Raises
    ValueError for an invalid name.
    """
    if (info.context or {}).get("from_run"):
        return texts
    named = {lang: compose(name) for lang, name in texts.items()}
    for fault in filter(None, map(name_fault, named.values())):
        raise ValueError(fault)
    return named


Text = Annotated[dict[str, str], AfterValidator(_require_all_languages)]
Name = Annotated[Text, AfterValidator(_check_names)]
Texts = Annotated[dict[str, list[str]], AfterValidator(_require_all_languages)]
Parallel = Annotated[Texts, AfterValidator(_require_equal_lengths)]
Patterns = Annotated[Texts, AfterValidator(_read_patterns)]
Minute = Annotated[
    int,
    BeforeValidator(_parse_minute),
    PlainSerializer(hhmm, when_used="json"),
    WithJsonSchema({"type": "string", "pattern": r"^\d{1,2}:\d{2}$"}),
]
Moment = Annotated[datetime, BeforeValidator(_parse_moment)]


class AuthoredModel(BaseModel):
    """A part of a world's files: unknown keys are faults, and it never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Band(AuthoredModel):
    """A line of the importance scale."""

    poignancy: int = Field(ge=1, le=10)
    deserves: Text


class GatheringPart(AuthoredModel):
    """The place (an arena) and time of a storyline's gathering, for which `spread.json` counts
    attendance; `moments` are its course, of equal length, and `brings` is what is there for guests.
    """

    place: str
    start: Moment
    end: Moment
    brings: Text | None = None
    moments: Parallel = {
        "en": [
            "welcoming everyone as they come",
            "standing together and talking",
            "drinking a toast",
            "singing a song that all know",
            "saying thanks and goodbye",
        ],
        "zh": ["迎接来客", "三三两两聊天", "一起举杯", "合唱一首都会的歌", "道谢道别"],
    }


class StorylinePart(AuthoredModel):
    """A subject that spreads through the town, recognised by its keywords; `gathering` belongs to
    it.
    """

    id: str
    title: Text
    keywords: Texts
    gathering: GatheringPart | None = None


class ConditionPart(AuthoredModel):
    """A kind of condition of things with one of `tags`, or of any thing. `befalling.ConditionKind`
    explains the fields.
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


class PastimePart(AuthoredModel):
    """A pastime that every resident may choose, at a place with these tags."""

    activity: Text
    tags: list[str] = Field(min_length=1)
    tasks: Parallel


class WorldFile(AuthoredModel):
    """`world.json`. `outdoors` names the area outside all arenas; `settings` are those that a town
    may carry (`TownSettings`).

    `premise` describes the world and its residents, unless it is a small town of ordinary people.
    `lacks` are word patterns (`word_patterns`) for things that do not exist in it, such as
    telephones; the scripted model does not mention them. `pastimes` replace the default ones of the
    scripted model. `acquaintance` is the relation between residents without an explicit one; by
    default they are strangers.
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
    settings: Json = {}


class HabitPart(AuthoredModel):
    """A stretch of a usual day, on all days or on `days`."""

    start: Minute
    end: Minute
    activity: Text
    place: str
    tasks: Parallel = {}
    days: list[Weekday] = []


class SeedPart(AuthoredModel):
    """An initial memory. `predicate` and `object` are those of its triple, whose subject is the
    resident unless given.
    """

    text: Text
    type: MemoryType = "thought"
    poignancy: int = Field(5, ge=1, le=10)
    about: list[str] = []
    subject: str = ""
    predicate: Text
    object: Text
    storyline: str = ""


class RelationPart(AuthoredModel):
    """A resident's relation to another, in their words, with closeness from 0 (stranger) to 10.
    `at_odds` names what divides the two, such as a debt, a rivalry or a promise not kept.
    """

    text: Text
    closeness: int = Field(ge=0, le=10)
    at_odds: Text | None = None


class ResidentFile(AuthoredModel):
    """`residents/<id>.json`. `wake` and `bed` are usual times; a `bed` before `wake` is after
    midnight.
    """

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
    candour: int = Field(5, ge=0, le=10)
    relations: dict[str, RelationPart] = {}
    knows: list[str] = []
    seeds: list[SeedPart] = []
    portrait: str = ""
    sprite: str = ""
    look: dict[str, Any] = {}
    """The look from which the pictures were drawn, for the editor."""
    visitor: bool = False
    """True for a visitor, whose mind is a person."""


class PlaceProperties(AuthoredModel):
    """Properties of a sector or an arena on the map; `tags` are separated by commas."""

    en: str = ""
    zh: str = ""
    public: bool = True
    tags: str = ""


class ThingProperties(PlaceProperties):
    """Properties of a thing on the map; `components` is a JSON object for additional rules.

    `facing` is the direction in which users look: a letter of `udlr` or `.` for each of its tiles,
    with `/` between rows.
    """

    idle_en: str = ""
    idle_zh: str = ""
    seats: int = Field(1, ge=1)
    facing: str = Field("", pattern="^[udlr./]*$")
    components: str = "{}"
