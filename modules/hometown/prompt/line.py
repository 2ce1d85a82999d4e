"""Texts of replies that stand on one line."""

from __future__ import annotations

import re
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from hometown.frozen import frozen

_BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


@frozen
class OneLine:
    """The form of a text in a reply: one line of `shortest`, 0 or 1, to `length` characters.

    Line breaks become spaces. A longer text is no fault: it is cut at the end of a sentence
    (`hometown.prompt.mending.all_ended`). Only an empty one is refused where there must be a text.
    """

    length: int
    shortest: int = 1

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._put_on_one_line, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(schema) | {"minLength": self.shortest, "maxLength": self.length}

    def _put_on_one_line(self, text: str) -> str:
        line = _BREAKS.sub(" ", text).strip()
        if self.shortest and not line:
            raise ValueError("the text is empty")
        return line
