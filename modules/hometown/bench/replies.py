"""Replies to be scored: a prompt as it was rendered, its schema, and what a model wrote."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from hometown.clock import parse_hhmm
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.model.reply_parsing import without_thinking
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.checks import fault
from hometown.prompt.schema import as_asked
from hometown.records import Message

_HAN = re.compile("[\u4e00-\u9fff]")
_ME = {
    "en": re.compile(r"^You are ([^,\n]+), \d", re.M),
    "zh": re.compile(r"^你就是([^，\n]+)，\d", re.M),
}
_LINE = {
    "en": re.compile(r'^([^:\n{"]{1,40}): "(.*)"', re.M),
    "zh": re.compile(r'^([^：\n{"“]{1,20})：["“](.*)["”]', re.M),
}
_PARTNER = {
    "en": re.compile(r"^(?:You are talking with|And with) ([^,.\n]+)[,.]", re.M),
    "zh": re.compile(r"^(?:跟你聊天的是|还有)([^，。\n]+)[，。]", re.M),
}
_CLOCK = {
    "en": re.compile(r"It is \w+, \d+ \w+ \d{4}, (\d\d:\d\d)"),
    "zh": re.compile(r"现在是\d+年\d+月\d+日\S* (\d\d:\d\d)"),
}
_NEIGHBOUR = {
    "en": re.compile(
        r"^(?:Before(?: it, (?:already done|now over))?|After(?: it, planned)?): (.+)$", re.M
    ),
    "zh": re.compile(
        r"^(?:前一项(?:（(?:做过了|时间已过)）)?|后一项(?:（之后才做）)?)：(.+)$", re.M
    ),
}
_HABIT = {
    "en": re.compile(r'^"(wake|bed)".*usually (\d\d:\d\d)', re.M),
    "zh": re.compile(r'^"(wake|bed)".*平常(?:次日)?(\d\d:\d\d)', re.M),
}
_USUAL = re.compile(r"^(?:(\d+)\.|-) (\d\d:\d\d) ", re.M)
_DATE = {
    "en": re.compile(r"\w+, (\d{1,2} \w+ \d{4})"),
    "zh": re.compile(r"(\d{4}年\d{1,2}月\d{1,2}日)"),
}


class ScoredReply:
    """A reply with all that rules need to know of its prompt.

    Args:
        messages: the prompt as it was rendered.
        schema: JSON schema of the reply.
        text: the reply as the model wrote it.
        kind: the kind of the prompt; found by the fields of the schema if it is "".
    """

    def __init__(
        self,
        messages: Sequence[Message],
        schema: dict[str, Any],
        text: str,
        lang: Lang | None = None,
        kind: str = "",
    ) -> None:
        self.messages, self.schema, self.text = tuple(messages), schema, text
        self.prompt_text = "\n".join(message.content for message in messages)
        self.lang: Lang = lang or language_of(self.prompt_text)
        self.kind = kind or schema_kind(schema)

    @cached_property
    def value(self) -> Any:
        """The JSON of the reply; None if it is none."""
        try:
            return json.loads(without_thinking(self.text))
        except ValueError:
            return None

    @cached_property
    def fault(self) -> str:
        """The reason why the reply does not fit its schema as it came; "" if it fits."""
        try:
            reply = PROMPTS[self.kind].reply.model_validate_json(self.text)
        except ValidationError as error:
            return str(error.errors(include_url=False)[0]["msg"])
        return fault(as_asked(reply.model_dump(mode="json"), self.schema), self.schema)

    @cached_property
    def texts(self) -> tuple[tuple[str, str, dict[str, Any]], ...]:
        """The texts that the model words itself, each as (name of its field, text, its schema)."""
        return tuple(_list_worded_texts(self.value, self.schema, ""))

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields of the reply; none if it is no object."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def tasks(self) -> list[list[Any]]:
        """The tasks of an activity, each with its words and minutes."""
        return [row for row in _list_rows(self.fields.get("tasks")) if len(row) > 1]

    @property
    def hours(self) -> list[list[Any]]:
        """The activities of a timetable, each with its start and its words."""
        return [row for row in _list_rows(self.fields.get("hours")) if len(row) > 1]

    @property
    def starts(self) -> list[str]:
        """The times at which the activities of a timetable begin, as they are written."""
        return [str(row[0]) for row in self.hours]

    @property
    def strokes(self) -> list[str]:
        """The broad strokes of a day."""
        return [each for each in _list_parts(self.fields.get("strokes")) if isinstance(each, str)]

    @property
    def changes(self) -> list[dict[str, Any]]:
        """The changes of a usual day."""
        return [each for each in _list_parts(self.fields.get("changes")) if isinstance(each, dict)]

    @property
    def neighbours(self) -> list[str]:
        """The activities before and after the one that is to be split."""
        return _NEIGHBOUR[self.lang].findall(self.prompt_text)

    @property
    def usual_day(self) -> list[tuple[str, str]]:
        """The lines of a usual day, each with its number, "" if it is fixed, and its start."""
        return _USUAL.findall(self.messages[-1].content)

    @property
    def speech(self) -> str:
        """The words of a line of dialogue; "" for all other replies."""
        say = self.fields.get("say")
        return say if isinstance(say, str) else ""

    @cached_property
    def me(self) -> str:
        """The name of the resident who is asked; "" if the prompt has no persona."""
        found = _ME[self.lang].search(self.prompt_text)
        return found[1].strip() if found else ""

    @cached_property
    def others(self) -> frozenset[str]:
        """The names of those with whom the resident talks; none where nobody does."""
        partners = _PARTNER[self.lang].findall(self.prompt_text)
        speakers = [speaker for speaker, _ in _LINE[self.lang].findall(self.prompt_text)]
        named = [*partners, *speakers] if partners else []
        return frozenset(name.strip() for name in named) - {self.me}

    @cached_property
    def lines_so_far(self) -> tuple[str, ...]:
        """The lines of the conversation so far, the resident's own included."""
        return tuple(
            line for message in self.messages[1:] for line in _list_lines(message, self.lang)
        )

    @cached_property
    def previous_line(self) -> str:
        """The line to be answered; "" where the resident speaks first."""
        last = self.messages[-1]
        lines = list(_list_lines(last, self.lang)) if last.role == "user" else []
        return lines[-1] if lines else ""

    @cached_property
    def minute(self) -> int | None:
        """The time of the prompt in minutes of the day; None if it states none."""
        found = _CLOCK[self.lang].search(self.prompt_text)
        return parse_hhmm(found[1]) if found else None

    @property
    def habits(self) -> dict[str, str]:
        """The usual times of getting up ("wake") and going to bed ("bed"), where the prompt asks
        for them.
        """
        return dict(_HABIT[self.lang].findall(self.prompt_text))

    @cached_property
    def date(self) -> str:
        """The date of the prompt as it is written there; "" if it states none."""
        found = _DATE[self.lang].search(self.prompt_text)
        return found[1] if found else ""


def _list_parts(value: Any) -> list[Any]:
    """Return the parts of a list; none of any other value."""
    return value if isinstance(value, list) else []


def _list_rows(value: Any) -> list[list[Any]]:
    """Return the rows of a value that is a list of lists; all else is left out."""
    return [row for row in _list_parts(value) if isinstance(row, list)]


def _list_lines(message: Message, lang: Lang) -> Iterator[str]:
    """Yield the lines of dialogue in a message: the resident's own reply, or those that the prompt
    quotes with their speakers.
    """
    if message.role == "assistant":
        try:
            said = json.loads(message.content).get("say")
        except (AttributeError, ValueError):
            said = None
        if said:
            yield said
        return
    yield from (line for _, line in _LINE[lang].findall(message.content))


def _list_worded_texts(
    value: Any, schema: dict[str, Any], name: str
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (field, text, schema) for the texts in a value that the model words itself: no choices,
    times, dates, emoji or keys. Rows of a list have the name of their schema's title, or else of
    the list.
    """
    if isinstance(value, str):
        pattern = schema.get("pattern", "")
        is_worded = (
            "enum" not in schema and "[0-9]" not in pattern and schema.get("format") != "date"
        )
        if is_worded and name not in ("decision", "emoji", "entry", "key", "value"):
            yield name, value, schema
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _list_worded_texts(part, schema.get("properties", {}).get(key, {}), key)
    elif isinstance(value, list):
        parts = schema.get("prefixItems") or [schema.get("items", {})] * len(value)
        for part, inner in zip(value, parts, strict=False):
            yield from _list_worded_texts(part, inner, inner.get("title", name))


def language_of(text: str) -> Lang:
    """Return the language of a prompt.

    >>> language_of("You are Ann."), language_of("你就是安安。")
    ('en', 'zh')
    """
    return "zh" if len(_HAN.findall(text)) * 4 > len(text) else "en"


def schema_kind(schema: dict[str, Any]) -> str:
    """Return the kind of prompt whose reply has the fields of a schema, the one with fewest others.

    Raises:
        BadInput: no prompt asks for these fields.
    """
    asked = set(schema.get("properties", {}))
    fitting = [
        (len(set(prompt.reply.model_fields) - asked), number, kind)
        for number, (kind, prompt) in enumerate(PROMPTS.items())
        if asked <= set(prompt.reply.model_fields)
    ]
    if not fitting:
        raise BadInput(
            "no prompt asks for {fields}: its schema is of another program", fields=sorted(asked)
        )
    return min(fitting)[2]


def read_replies(file: Path) -> list[ScoredReply]:
    """Read replies with their prompts from a JSONL file of `messages`, `schema` and `reply`.

    Raises:
        BadInput: a line is no such object.
    """
    replies = []
    for number, row in enumerate(file.read_bytes().splitlines(), 1):
        try:
            parsed = orjson.loads(row)
            messages = [Message(**message) for message in parsed["messages"]]
            replies.append(ScoredReply(messages, parsed["schema"], parsed["reply"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                "{file}, line {number}: {reason}; it should be an object with messages, schema and reply",
                file=file,
                number=number,
                reason=repr(error),
            ) from error
    return replies
