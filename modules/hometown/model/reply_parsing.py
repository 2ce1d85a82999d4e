"""Parses a model's text into a typed reply: strictly at first, then leniently if only one
interpretation is possible.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from hometown.language import Lang
from hometown.model.language_check import complaint
from hometown.model.lenient_json import LenientReader
from hometown.model.loose_values import Labels, fit_values
from hometown.prompt.checks import fault
from hometown.prompt.mending import all_ended, ended
from hometown.prompt.prompt import Prompt, Reply, Variables
from hometown.prompt.schema import Schema, as_asked, plain_schema

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)

LONGEST_REPLY = 1 << 15
"""Characters of a reply that are kept: ten times the longest valid one."""

LONGEST_ERROR = 300
"""Characters of an error that are sent to the model; more would only confuse it."""

ONLY_REASONING = "you only reasoned, and gave no answer; give the JSON object alone, at once"
"""Message to a model all of whose reply is reasoning."""

ENDED = "ended"
"""The rule for all prompts that a text which was cut off ends with its last full sentence."""

FORM = "form"
"""The rule for all prompts that near-JSON, and values in another form, are read as they are meant."""

_REASONING = "(?:seed:)?(?:think(?:ing)?|thought|reasoning|analysis)"
_REASONING_BEGINS = re.compile(
    rf"<{_REASONING}>|\[THINK\]|◁think▷|<\|channel\|>analysis|<\|channel>thought|<\|START_THINKING\|>|<unused94>",
    re.IGNORECASE,
)
_REASONING_ENDS = re.compile(
    rf"</{_REASONING}>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>|<channel\|>|<\|END_THINKING\|>|<unused95>",
    re.IGNORECASE,
)
"""Marks around reasoning: of Qwen and DeepSeek, Seed, Magistral, Kimi, gpt-oss, Gemma, Command, and
MedGemma.
"""

_TURN_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|endoftext|return|END_RESPONSE)\|>|<end_of_turn>|</s>"
)
"""Marks behind a reply, after which a model has gone on with a turn of its own making."""

_BEGIN = re.compile(r"""\{(?=\s*(?:["'＂“”„‘’}/#]|[^\W\d]))""")
"""The brace of an object: a name, a comment or its end follows."""

_AFTER_REPLY = re.compile(r"[\s`*.]*(?:</?\w+>\s*)*\Z")
"""Signs that may stand behind a reply that ends a text."""

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

    The text is read as `_whole_or_cut` does. Values that do not fit are replaced by what their
    readers make of them (`FORM`), the prompt's own rules mend the rest, and texts that break off
    end with their last full sentence (`ENDED`).

    Raises UnusableReply if the reply fits its schema neither as it came nor after mending, or is
    not in `lang`.
    """
    labels = prompt.labels(variables)
    given, form = _whole_or_cut(prompt.reply, text, labels)
    came = as_asked(dumped := given.model_dump(mode="json"), schema)
    if fault(came, schema) and (fitted := fit_values(came, schema, labels)) != came:
        given, form = prompt.reply.model_validate(fitted), (FORM,)
        came = as_asked(dumped := given.model_dump(mode="json"), schema)
    read = given if came == dumped else prompt.reply.model_validate(came)
    reply, mended = prompt.mended(variables, read)
    said = came if reply == read else as_asked(reply.model_dump(mode="json"), schema)
    whole = all_ended(said, schema)
    if whole != said:
        reply = prompt.reply.model_validate(whole)
    if form == (ENDED,) or whole != said:
        mended = (*mended, ENDED)
    if form == (FORM,):
        mended = (FORM, *mended)
    wrong = fault(came, schema) and fault(whole, schema)
    wrong = wrong or complaint(lang, variables, whole) or ""
    if wrong:
        raise UnusableReply(wrong[:LONGEST_ERROR])
    return reply, mended


def sanitize(text: str) -> str:
    """Return a model's text in a form that can be stored: its first `LONGEST_REPLY` characters,
    with "?" for unpaired surrogates, which cannot be encoded.

    >>> sanitize("caf\\udce9")
    'caf?'
    """
    return text[:LONGEST_REPLY].encode("utf-8", "replace").decode()


def parse(reply: type[R], text: str) -> R:
    """Return the reply that a text holds.

    A text that is not valid JSON may hold it behind reasoning and drafts, between prose or code
    fences, in near-JSON, or with values in another form: the last object that can be read as a
    reply, in one way only, is the reply. Raises UnusableReply with the reason.
    """
    return _find_reply(reply, text, {})[0]


def _find_reply(reply: type[R], text: str, labels: Labels) -> tuple[R, bool]:
    """Return the reply that a text holds, and whether its form was mended. Raises UnusableReply."""
    try:
        return reply.model_validate_json(text), False
    except ValidationError:
        return _embedded(reply, _unquoted(text), labels)


def _whole_or_cut(reply: type[R], text: str, labels: Labels) -> tuple[R, tuple[str, ...]]:
    """Return the reply that a text holds, or that begins in it and breaks off, and the rules that
    mended its form. Raises UnusableReply.
    """
    try:
        found, is_mended = _find_reply(reply, text, labels)
    except UnusableReply:
        cut = _cut_off(reply, text)
        if cut is None:
            raise
        return cut, (ENDED,)
    return found, (FORM,) if is_mended else ()


def _cut_off(reply: type[R], text: str) -> R | None:
    """Return the reply in a JSON object that breaks off, without the incomplete items of its last
    list, or None.
    """
    try:
        value = from_json(without_thinking(text), allow_partial="trailing-strings")
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
    """Return a text without the reasoning before its answer, and without what a model wrote after
    its turn. Reasoning that never ends is kept.

    >>> without_thinking("<think>Tea? Coffee!</think> {}"), without_thinking("[THINK]{}[/THINK]{1}</s>{2}")
    ('{}', '{1}')
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return _first_turn(_REASONING_ENDS.split(text)[-1]).strip()
    return text  # valid JSON, whose strings may mention </think>


def is_reasoning(text: str) -> bool:
    """Return True if a text begins to reason and never ends to."""
    return not _REASONING_ENDS.search(text) and bool(_REASONING_BEGINS.search(text))


def answer_in_reasoning(reasoning: str) -> str:
    """Return the object with which a model's reasoning ends, or "": some servers put a whole reply
    into the field for reasoning.

    >>> answer_in_reasoning('They want JSON. {"end": true}'), answer_in_reasoning("Perhaps {} or so")
    ('{"end": true}', '')
    """
    ends = [span for span in _spans(without_thinking(reasoning)) if span.is_last]
    return ends[-1].text if ends else ""


def holds_object(text: str, names: Sequence[str]) -> bool:
    """Return True if a text holds an object with these members, in whatever form.

    >>> holds_object("So: {say: 'Hello', end: False,}", ["say", "end"]), holds_object("Hello!", [])
    (True, False)
    """
    expected = {name.casefold() for name in names}
    return any(
        isinstance(value, dict) and expected <= {str(name).casefold() for name in value}
        for span in _spans(_unquoted(without_thinking(text)))
        for value in (*span.values, *_inner_objects(span.values))
    )


def _inner_objects(values: Sequence[Any]) -> list[Any]:
    """Return the members of the objects among some values."""
    return [part for value in values if isinstance(value, dict) for part in value.values()]


def _first_turn(text: str) -> str:
    """Return the first turn that holds an object, or the whole text if none does."""
    return next((turn for turn in _TURN_ENDS.split(text) if "{" in turn), text)


def _unquoted(text: str) -> str:
    """Return the content of a text that is a JSON string, or else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str) else text


def _embedded(reply: type[R], text: str, labels: Labels) -> tuple[R, bool]:
    """Return the last reply in a text that surrounds it, and whether its form was mended. Of a text
    that only reasons, just an object at its end counts; a broken object that names fields of the
    reply makes all before it drafts. Raises UnusableReply.
    """
    found: tuple[R, bool] | None = None
    text = without_thinking(text)
    complaint = "there is no JSON object in the reply" if text else "the reply is empty"
    drafts_only = is_reasoning(text)
    for span in _spans(text):
        if drafts_only and not span.is_last:
            complaint = "the reply holds only reasoning; give the JSON object alone"
            continue
        try:
            found = _read(reply, span, labels)
        except UnusableReply as error:
            if not span.is_broken:
                complaint = str(error)
            elif _names_fields(reply, span.text):
                found = None  # this may have been the answer, so the objects before it were drafts
                complaint = str(error)
    if found is None:
        raise UnusableReply(complaint)
    return found


@dataclass(frozen=True)
class _Span:
    """An object in a text: its text, its readings, whether it is no valid JSON, and whether the
    text ends with it. An object without a reading reaches to the next brace.
    """

    text: str
    values: tuple[Any, ...]
    is_broken: bool
    is_last: bool


def _spans(text: str) -> Iterator[_Span]:
    """Yield the outermost objects in a text, in order; control characters inside their strings
    become spaces.
    """
    at, reader = _begin_of_object(text, 0), LenientReader(text)
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
            values, is_broken = [_tidy(value)], False
        except RecursionError:
            return  # nested too deeply; no part of it is a reply
        except ValueError:
            found = reader.readings(at)
            values, is_broken = [_tidy(reading.value) for reading in found], True
            unread = _begin_of_object(text, at + 1) if not found else 0
            end = max(
                (reading.end for reading in found), default=unread if unread > 0 else len(text)
            )
        is_last = bool(values) and _AFTER_REPLY.match(text, end) is not None
        yield _Span(text[at:end], tuple(values), is_broken, is_last)
        at = _begin_of_object(text, end)


def _begin_of_object(text: str, at: int) -> int:
    """Return the position of the next brace behind which an object may go on, or -1."""
    begin = _BEGIN.search(text, at)
    return begin.start() if begin else -1


def _read(reply: type[R], span: _Span, labels: Labels) -> tuple[R, bool]:
    """Return the reply of a span, and whether its form was mended. Raises UnusableReply if no
    reading of it, or more than one, is a reply.
    """
    if not span.is_broken:
        with suppress(ValidationError):
            return reply.model_validate(span.values[0]), False
    valid, complaint = list[R](), "the JSON object in the reply cannot be read"
    for value in span.values:
        try:
            candidate = _validate_loosely(reply, value, labels)
        except ValidationError as error:
            complaint = _describe_faults(error)
        else:
            if candidate not in valid:
                valid.append(candidate)
    if len(valid) > 1:
        raise UnusableReply("the JSON object in the reply can be read in several ways")
    if not valid:
        raise UnusableReply(complaint)
    return valid[0], True


def _validate_loosely(reply: type[R], value: Any, labels: Labels) -> R:
    """Return the reply of an object, or else of the only one of its members that is a reply, with
    the values of each field in the form that its reader makes of them. Raises ValidationError.
    """
    schema = plain_schema(reply)
    try:
        return reply.model_validate(fit_values(value, schema, labels))
    except ValidationError:
        inner = list[R]()
        for member in value.values() if isinstance(value, dict) else ():
            if isinstance(member, dict):
                with suppress(ValidationError):
                    inner.append(reply.model_validate(fit_values(member, schema, labels)))
        if len(inner) != 1:
            raise
        return inner[0]


def _names_fields(reply: type[R], text: str) -> bool:
    """Return True if the name of any field of the reply occurs in a text."""
    return any(name in text for name in reply.model_fields)


def _tidy(value: Any) -> Any:
    """Return a value with spaces in place of control characters and lone surrogates in its texts."""
    if isinstance(value, str):
        return _NO_TEXT.sub(" ", value)
    if isinstance(value, list):
        return [_tidy(part) for part in value]
    if isinstance(value, dict):
        return {key: _tidy(part) for key, part in value.items()}
    return value


def _describe_faults(error: ValidationError) -> str:
    """Return the faults field by field, cut to `LONGEST_ERROR` characters: `hours.0.start: String
    should match pattern …`.
    """
    faults = error.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or 'the reply'}: {fault['msg']}" for fault in faults
    )[:LONGEST_ERROR]
