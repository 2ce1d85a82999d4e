"""Parses a model's text into a typed reply: strictly at first, then leniently if only one
interpretation is possible.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from hometown.language import Lang
from hometown.model.language_check import complaint
from hometown.prompt.checks import fault
from hometown.prompt.mending import all_ended, ended
from hometown.prompt.prompt import Prompt, Reply, Variables
from hometown.prompt.schema import Schema, as_asked

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)

LONGEST_REPLY = 1 << 15
"""Characters of a reply that are kept: ten times the longest valid one."""

LONGEST_ERROR = 300
"""Characters of an error that are sent to the model; more would only confuse it."""

ENDED = "ended"
"""The rule for all prompts that a text which was cut off ends with its last full sentence."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THINKING_ENDS = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_NO_TEXT = re.compile("[\x00-\x1f\ud800-\udfff]+")
"""Control characters, and halves of surrogate pairs."""
_DECODER = json.JSONDecoder(strict=False)


class UnusableReply(Exception):
    """A reply that cannot be used. The message is meant for the model: it names the fault in the
    reply.
    """


def parse_reply(
    prompt: Prompt[V, R], variables: V, schema: Schema, text: str, lang: Lang
) -> tuple[R, tuple[str, ...]]:
    """Return the reply that a text holds, and the names of the rules that mended it. `schema` is
    that of the reply.

    Raises UnusableReply if the reply fits its schema neither as it came nor after mending, or is
    not in `lang`.
    """
    given, was_cut = _whole_or_cut(prompt.reply, text)
    came = as_asked(dumped := given.model_dump(mode="json"), schema)
    reply, mended = prompt.mended(
        variables, given if came == dumped else prompt.reply.model_validate(came)
    )
    whole = all_ended(
        said := as_asked(reply.model_dump(mode="json"), schema) if mended else came, schema
    )
    if whole != said:
        reply = prompt.reply.model_validate(whole)
    if was_cut or whole != said:
        mended = (*mended, ENDED)
    wrong = fault(came, schema) and fault(whole, schema)
    wrong = wrong or complaint(lang, variables, whole) or ""
    if wrong:
        raise UnusableReply(wrong[:LONGEST_ERROR])
    return reply, mended


def sanitize(text: str) -> str:
    """Return a model's text in a form that can be stored: of bounded length, and without unpaired
    surrogates, which cannot be encoded.

    >>> sanitize("caf\\udce9")
    'caf?'
    """
    return text[:LONGEST_REPLY].encode("utf-8", "replace").decode()


def parse(reply: type[R], text: str) -> R:
    """Return the reply that a text holds.

    A text that is not valid JSON may hold one object between reasoning, prose or code fences, or
    with line breaks in its strings. Two different valid objects are ambiguous. Raises UnusableReply
    with the reason.
    """
    try:
        return reply.model_validate_json(text)
    except ValidationError:
        return _embedded(reply, text)


def _whole_or_cut(reply: type[R], text: str) -> tuple[R, bool]:
    """Return the reply that a text holds, and whether the text breaks off before its end. Raises
    UnusableReply.
    """
    try:
        return parse(reply, text), False
    except UnusableReply:
        cut = _cut_off(reply, text)
        if cut is None:
            raise
        return cut, True


def _cut_off(reply: type[R], text: str) -> R | None:
    """Return the reply in a JSON object that breaks off, without the incomplete items of its last
    list, or None.
    """
    try:
        value = from_json(text.strip(), allow_partial="trailing-strings")
    except ValueError:
        return None
    while isinstance(value, dict) and value:
        try:
            return reply.model_validate(_tidy(_last_text_ended(value)))
        except ValidationError:
            *_, last = value.values()
            if not (isinstance(last, list) and last):
                return None
            last.pop()
    return None


def _last_text_ended(value: Any) -> Any:
    """Return a value that breaks off, with its last text shortened to its last full sentence or
    word.
    """
    if isinstance(value, str):
        return ended(value, len(value))
    if isinstance(value, list) and value:
        return [*value[:-1], _last_text_ended(value[-1])]
    if isinstance(value, dict) and value:
        *_, name = value
        return value | {name: _last_text_ended(value[name])}
    return value


def without_thinking(text: str) -> str:
    """Return a text without the reasoning before or around its answer.

    >>> without_thinking("<think>Tea? Coffee!</think> {}")
    '{}'
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return _THINKING_ENDS.sub("", _THINKING.sub("", text)).strip()
    return text  # valid JSON, whose strings may mention </think>


def _embedded(reply: type[R], text: str) -> R:
    """Return the reply in a text that surrounds it. Raises UnusableReply."""
    valid: R | None = None
    complaint = "there is no JSON object in the reply" if text.strip() else "the reply is empty"
    for value in _objects(without_thinking(text)):
        try:
            candidate = reply.model_validate(value)
        except ValidationError as error:
            complaint = _describe_faults(error)
        else:
            if valid is not None and candidate != valid:
                raise UnusableReply(
                    "there are several different JSON objects in the reply; give one"
                )
            valid = candidate
    if valid is None:
        raise UnusableReply(complaint)
    return valid


def _objects(text: str) -> Iterator[Any]:
    """Yield the outermost JSON objects in a text, in order; control characters inside their strings
    become spaces.
    """
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
            value = _tidy(value)
        except RecursionError:
            return  # nested too deeply; no part of it is a reply
        except ValueError:
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _tidy(value: Any) -> Any:
    if isinstance(value, str):
        return _NO_TEXT.sub(" ", value)
    if isinstance(value, list):
        return [_tidy(part) for part in value]
    if isinstance(value, dict):
        return {key: _tidy(part) for key, part in value.items()}
    return value


def _describe_faults(error: ValidationError) -> str:
    """Return the faults field by field: `hours.0.start: String should match pattern …`."""
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'the reply'}: {fault['msg']}" for fault in faults
    )[:LONGEST_ERROR]
