"""What a prompt is: its variables, the reply it asks for, and the fallback where no valid reply can
be had.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_serializer, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, from_json

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.bounds import Keywords, plain_sentence, text
from hometown.world.feeling import Tone
from hometown.world.persona import Persona


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
    def _named(cls, given: Any) -> Any:
        return (
            dict(zip(cls.model_fields, given, strict=False))
            if isinstance(given, list | tuple)
            else given
        )

    @model_serializer
    def _values(self) -> list[Any]:
        return [value for _, value in self]

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """A list of exactly these values; the title of each is the name of its field."""
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
    """The context of every prompt: which resident is asked, where and when.

    `where` is the name of the place, `doing` the activity at hand, both in the run's language.
    `names` are the people it knows by name, as (id, name), since memories say `about` whom by id.
    `lang` is the run's language. `plain`: texts of the reply are single sentences without digits
    (`Freedom`). `lately` says which conversation is just over, "" if none is. `lacks` is a regular
    expression of words for what there is not in its world, "" for nothing in particular. `feels` is
    its mood and what it feels most, in words, "" for nothing to speak of; `tone` how that is heard
    by whom it talks with.
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

    def is_foreign(self, text: str) -> bool:
        """Whether a text names something that there is not in this world."""
        return bool(self.lacks and re.search(self.lacks, text, re.IGNORECASE))

    def text(self, length: int, shortest: int = 1) -> Keywords:
        """The bounds of sentences in the reply, of up to `length` characters in English, and of
        none if `shortest` is 0.
        """
        return (
            plain_sentence(self.lang, length, shortest)
            if self.plain
            else text(self.lang, length, shortest)
        )


@frozen
class Variables:
    """Base of all declared variables."""

    situation: Situation


V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)


Known = Literal["nobody", "little", "life", "all"]
"""How much of its persona a resident is told: nothing, where nobody is asked; who it is; also what
it likes and what goes on in its life; also its past, way of life and acquaintances.
"""


def not_narrowed(_: Any) -> Mapping[str, Keywords]:
    return {}


@dataclass(frozen=True)
class Rule(Generic[V, R]):
    """Mends what a schema cannot say: `apply` returns the reply as it should be, or the same one if
    there is nothing to mend.

    `name` is the key to its wording in `data/text/<lang>/mending.json`. A reply that fits its
    schema must be usable once all rules have been applied.
    """

    name: str
    apply: Callable[[V, R], R]


@dataclass(frozen=True)
class Speech(Generic[V]):
    """Declares that a reply is spoken aloud: `field` of it holds the words, `listener` names who is
    spoken to, by id.
    """

    field: str
    listener: Callable[[V], str]

    def words(self, unfinished: str) -> str:
        r"""The words so far, from the beginning of a reply's JSON; "" while there are none.

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
    """One kind of question to a model.

    `kind` names the template file in `data/prompts/<lang>/<kind>.md`. `narrow` gives keywords of
    JSON schema for these variables by the path of a field, "address", or "hours[].start" for a
    field of each item of a list, "ratings[]" for the items themselves; a reply that fits the schema
    is usable once the rules of `mend` have been applied, in order. `persona` is how much the one
    asked has to know of itself. `speech` is set where the reply is spoken aloud, so that it can be
    followed while a model writes it. `judges`: a reader from outside the town is asked about the
    resident, and not the resident.
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

    def mended(self, variables: V, reply: R) -> tuple[R, tuple[str, ...]]:
        """The reply with all rules applied, and the names of those that changed it."""
        used: list[str] = []
        for rule in self.mend:
            better = rule.apply(variables, reply)
            if better is not reply and better != reply:
                used.append(rule.name)
            reply = better
        return reply, tuple(used)
