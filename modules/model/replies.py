"""From the text of a model to a typed reply: strictly first, then leniently where only one reading is possible."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from modules.model.language import complaint
from modules.prompt.prompt import Prompt, Reply, Variables
from modules.world.world import Lang

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)

LONGEST_REPLY = 1 << 15
"""Characters of a reply that are kept: ten times what the longest of them needs, and no more than a database can stand."""

LONGEST_ERROR = 300
"""Characters of an error that are told to the model; more would only confuse it."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THINKING_ENDS = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_NO_TEXT = re.compile("[\x00-\x1f\ud800-\udfff]+")
"""Control characters, and halves of surrogate pairs."""
_DECODER = json.JSONDecoder(strict=False)


class Unusable(Exception):
    """A reply that answers nothing. The message is meant for the model: what is wrong with it."""


def usable(prompt: Prompt[V, R], variables: V, text: str, lang: Lang) -> R:
    """The reply that a text gives to this question, in the run's language. Raises Unusable."""
    reply = parse(prompt.reply, text)
    objection = prompt.objection(variables, reply) or complaint(lang, variables, reply)
    if objection is not None:
        raise Unusable(objection[:LONGEST_ERROR])
    return reply


def legible(text: str) -> str:
    """A model's text as it can be kept: of bounded length, and without halves of surrogate pairs, which no file can hold.

    >>> legible("caf\\udce9")
    'caf?'
    """
    return text[:LONGEST_REPLY].encode("utf-8", "replace").decode()


def parse(reply: type[R], text: str) -> R:
    """The reply that a text holds.

    A text that is not JSON by itself may hold one object between thoughts, prose or code fences. Two different
    objects that would both do are ambiguous. Raises Unusable, saying why.
    """
    try:
        return reply.model_validate_json(text)
    except ValidationError as error:
        if error.errors(include_url=False, include_input=False, include_context=False)[0]["type"] != "json_invalid":
            raise Unusable(_worded(error)) from error
    return _found(reply, text)


def without_thinking(text: str) -> str:
    """A text without the reasoning that a model has put before or around its answer.

    >>> without_thinking("<think>Tea? Coffee!</think> {}")
    '{}'
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return _THINKING_ENDS.sub("", _THINKING.sub("", text)).strip()
    return text  # whose own words may well speak of </think>


def _found(reply: type[R], text: str) -> R:
    good: list[R] = []
    complaint = "there is no JSON object in the reply" if text.strip() else "the reply is empty"
    for value in _objects(without_thinking(text)):
        try:
            one = reply.model_validate(value)
        except ValidationError as error:
            complaint = _worded(error)
        else:
            if good and one != good[0]:
                raise Unusable("there are several different JSON objects in the reply; give one")
            good.append(one)
    if not good:
        raise Unusable(complaint)
    return good[0]


def _objects(text: str) -> Iterator[Any]:
    """The outermost JSON objects in a text, in order; what is no text inside their strings becomes a space."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
            value = _tidy(value)
        except RecursionError:
            return  # a bomb; what lies deeper in it is no better
        except ValueError:
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _tidy(value: Any) -> Any:
    if isinstance(value, str):
        return _NO_TEXT.sub(" ", value)
    if isinstance(value, list):
        return [_tidy(one) for one in value]
    if isinstance(value, dict):
        return {key: _tidy(one) for key, one in value.items()}
    return value


def _worded(error: ValidationError) -> str:
    """What is wrong, field by field: `hours.0.start: String should match pattern …`."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'the reply'}: {fault['msg']}" for fault in faults)[:LONGEST_ERROR]
