"""The type of a prompt: variables, reply, fallback, and rules that mend replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_serializer, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, from_json

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.activity_form import word_activity
from hometown.prompt.bounds import DENSITY, Keywords, text
from hometown.world.feeling import Tone
from hometown.world.persona import Persona

PLAIN_LENGTH = 160
"""Maximum length of texts of very small models, in English characters."""


class Reply(BaseModel):
    """Base of all replies: unknown fields are ignored, types are checked."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, str_strip_whitespace=True, defer_build=True
    )


class Row(Reply):
    """Base of what a reply lists many of: it is written as its values in order, without their
    names, which would be a third of what a model writes.
    """

    @model_validator(mode="before")
    @classmethod
    def _name_values(cls, given: Any) -> Any:
        """Accept a list of values in the order of the fields."""
        if isinstance(given, list | tuple):
            return dict(zip(cls.model_fields, given, strict=False))
        return given

    @model_serializer
    def _values(self) -> list[Any]:
        """Return the values in the order of the fields."""
        return [value for _, value in self]

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of a list of exactly these values, each titled with the name of its
        field.
        """
        named = handler.resolve_ref_schema(handler(core_schema))["properties"]
        values = [part | {"title": name} for name, part in named.items()]
        return {
            "type": "array",
            "prefixItems": values,
            "minItems": len(values),
            "maxItems": len(values),
        }


@frozen
class Situation:
    """The context of every prompt: the resident asked, the place and the time.

    `where` is the name of the place and `doing` the current activity, both in the run's language
    `lang`. `names` are the residents known by name, as (id, name), for the ids in memories. With
    `plain`, texts of the reply are short (`Freedom`). `lately` quotes a
    conversation that is not summed up yet; `feels` describes mood and strongest feeling, and `tone`
    is how they sound to the partner of a conversation. `around` has a sentence for each happening
    in the resident's arena, each that has just ended, each gathering that is on, and
    each companion who is missing; `gathered` is the subject of a gathering of the day before.
    `within` is the schedule entry under way, `usual` the rest of a usual day in one line, and
    `earshot` are the ids of the residents who can understand what is said. `lacks` is a regular expression of words for
    things that do not exist in the world. Each is "" (or None) if there is nothing to say. `earlier`
    are lines of earlier conversations as (id of the listener, line), for a next line only: the
    latest to those present, and to all others met of late. Also for a next line only, `present` are
    the ids of further residents in the room, and `walks` the minutes to places, as (address, minutes).
    """

    me: Persona
    currently: str
    now: datetime
    where: str
    doing: str
    names: tuple[tuple[str, str], ...] = ()
    lang: Lang = "en"
    plain: bool = False
    lately: str = ""
    feels: str = ""
    tone: Tone | None = None
    lacks: str = ""
    around: tuple[str, ...] = ()
    gathered: str = ""
    within: str = ""
    usual: str = ""
    earshot: tuple[str, ...] = ()
    earlier: tuple[tuple[str, str], ...] = ()
    present: tuple[str, ...] = ()
    walks: tuple[tuple[str, int], ...] = ()

    def is_foreign(self, text: str) -> bool:
        """Return True if a text names something that does not exist in this world."""
        return bool(self.lacks and re.search(self.lacks, text, re.IGNORECASE))

    def minutes_to(self, address: str) -> int:
        """Return the minutes of the walk to a place; 0 within the room, or if they are unknown."""
        return dict(self.walks).get(address, 0)

    def text(self, length: int, shortest: int = 1) -> Keywords:
        """Return schema keywords for sentences in the reply.

        Args:
            length: The maximum length in English characters; other languages scale it, and texts of
                very small models have at most `PLAIN_LENGTH`.
            shortest: The minimum length; 0 allows an empty text.
        """
        return text(self.lang, min(length, PLAIN_LENGTH) if self.plain else length, shortest)

    def word_activity(self, words: str, length: int) -> str:
        """Return an activity in the form of all activities, of up to `length` English characters."""
        return word_activity(words, self.me, self.lang, round(length * DENSITY[self.lang]))


@frozen
class Variables:
    """Base of the declared variables of all prompts."""

    situation: Situation


V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)


Known = Literal["nobody", "little", "life", "all"]
"""The part of the persona that a prompt contains: none; who they are; also likes and current life;
also past, way of life and acquaintances.
"""


def not_narrowed(_: Any) -> Mapping[str, Keywords]:
    """Return no keywords, for prompts whose schema does not depend on their variables."""
    return {}


def no_labels(_: Any) -> Mapping[str, Sequence[str]]:
    """Return no labels, for prompts without numbered choices."""
    return {}


@dataclass(frozen=True)
class Rule(Generic[V, R]):
    """A rule that mends a reply where the schema cannot express a constraint.

    `apply` returns the mended reply, or the same one if there is nothing to mend. `name` is the key
    of its description in `hometown.prompt.mending.MENDING_NAMES`. A reply that fits its schema must be
    usable once all rules have been applied. `is_routine` is True for an adjustment that the prompt
    leaves to the town, which is no mending.
    """

    name: str
    apply: Callable[[V, R], R]
    is_routine: bool = False


@dataclass(frozen=True)
class Speech(Generic[V]):
    """A reply that is spoken aloud: `field` holds the words, `listener` returns the id of the
    listener.
    """

    field: str
    listener: Callable[[V], str]

    def words(self, unfinished: str) -> str:
        r"""Return the words so far, from the beginning of a reply's JSON; "" while there are none.

        >>> speech = Speech("say", lambda variables: "tom")
        >>> speech.words('{"say": "Good mor'), speech.words('{"say": "\\u65e9\\u'), speech.words('{"s')
        ('Good mor', '早', '')
        """
        start = unfinished.find("{")
        while start >= 0:
            try:
                text = from_json(unfinished[start:], allow_partial="trailing-strings").get(
                    self.field
                )
            except ValueError:  # a brace in what a model wrote before its reply
                text = None
            if isinstance(text, str):
                return text
            start = unfinished.find("{", start + 1)
        return ""


@dataclass(frozen=True)
class Prompt(Generic[V, R]):
    """A kind of question to a model.

    `kind` names the template file `data/prompts/<lang>/<kind>.md`. `narrow` returns JSON schema
    keywords for given variables by the path of a field: "address", "hours[].start" for a field of
    list items, "ratings[]" for the items themselves. A reply that fits this schema is usable once
    the rules `mend` have been applied, in order. `persona` is the part of the persona in the
    prompt. `speech` is set for replies that are spoken aloud, whose text is streamed. `judges`
    marks prompts for a reader outside the town who judges the resident. `labels` returns the names
    of numbered choices, from 1, by the path of their number: models that no grammar holds to numbers
    write names.
    """

    kind: str
    variables: type[V]
    reply: type[R]
    fallback: Callable[[V], R]
    max_tokens: int
    temperature: float = 0.7
    narrow: Callable[[V], Mapping[str, Keywords]] = not_narrowed
    mend: tuple[Rule[V, R], ...] = ()
    persona: Known = "all"
    speech: Speech[V] | None = None
    judges: bool = False
    labels: Callable[[V], Mapping[str, Sequence[str]]] = no_labels

    def longest_reply(self, context: float) -> int:
        """Return the tokens that a reply may have in a model's context: at most a third of it, so
        that the prompt has room.
        """
        return int(min(self.max_tokens, context / 3))

    def mended(self, variables: V, reply: R) -> tuple[R, tuple[str, ...]]:
        """Return the reply with all rules applied, and the names of those that mended it, routine
        adjustments left out.
        """
        used: list[str] = []
        for rule in self.mend:
            better = rule.apply(variables, reply)
            if better is not reply and better != reply and not rule.is_routine:
                used.append(rule.name)
            reply = better
        return reply, tuple(used)
