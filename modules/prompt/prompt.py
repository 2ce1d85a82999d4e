"""What a prompt is: its variables, the reply it asks for, and what stands in when none can be had."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from modules.world.persona import Persona


class Reply(BaseModel):
    """Base of all replies: unknown fields are passed over, types are checked."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)


@dataclass(frozen=True, slots=True)
class Situation:
    """What every prompt begins from: who is asked, and where and when it finds itself.

    `where` is the name of the place, `doing` the activity at hand, both in the run's language.
    `names` are the people it knows by name, as (id, name), since memories say `about` whom by id.
    """

    me: Persona
    currently: str
    now: datetime
    where: str
    doing: str
    names: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Variables:
    """Base of all declared variables."""

    situation: Situation


V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)


def no_choices(_: Any) -> Mapping[str, Sequence[str]]:
    return {}


def no_objection(_: Any, __: Any) -> None:
    return None


@dataclass(frozen=True)
class Prompt(Generic[V, R]):
    """One kind of question to a model.

    `kind` names the template file in `data/prompts/<lang>/<kind>.md`. `choices` narrows fields of the
    reply (by their path in the schema, as "address" or "items.place") to the values allowed for these variables.
    `objection` says what is wrong with a reply that fits the schema but not the variables; None if nothing is.
    `persona` is False where the reply goes to more than the one asked, so that the prompt may not hold who that is.
    """

    kind: str
    variables: type[V]
    reply: type[R]
    fallback: Callable[[V], R]
    max_tokens: int
    temperature: float = 0.7
    choices: Callable[[V], Mapping[str, Sequence[str]]] = no_choices
    objection: Callable[[V, R], str | None] = no_objection
    persona: bool = True
