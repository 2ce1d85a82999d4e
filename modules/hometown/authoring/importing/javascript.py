"""Read constants from JavaScript and TypeScript modules without running them: strings, numbers,
lists, objects, and names of other constants.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hometown.json_object import Json

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_$][\w$]*)"""
    r"""|(?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?P<sign>[\[\]{}:,])""",
    re.DOTALL,
)
CONSTANT = re.compile(r"^export\s+const\s+(?P<name>[\w$]+)(?:\s*:[^=]+)?\s*=\s*", re.MULTILINE)
IMPORT = re.compile(
    r"""^import\s*\{\s*(?P<name>\w+)(?:\s+as\s+(?P<alias>\w+))?\s*\}\s*from\s*['"](?P<file>[^'"]+)['"]""",
    re.MULTILINE,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "", "\n": ""}
WORDS = {"true": True, "false": False, "null": None, "undefined": None}

DEEPEST = 50
"""Lists and objects within each other at most."""


class NotLiteral(ValueError):
    """The text at this place is code, and no value can be read from it."""


@dataclass(frozen=True)
class Name:
    """A constant that is named where a value is wanted."""

    name: str


def constants(text: str) -> Json:
    """Return the exported constants of a module with literal values; computed ones are left out.

    >>> constants("export const a: Row[] = [{ x: -1, 'y': `two`, }, b]; // so\\nexport const c = f(3);")
    {'a': [{'x': -1, 'y': 'two'}, Name(name='b')]}
    """
    values: Json = {}
    for match in CONSTANT.finditer(text):
        reader = _Reader(text, match.end())
        try:
            value = reader.value()
        except NotLiteral:
            continue
        if re.match(r"\s*(?:;|$|export\b|//|/\*)", text[reader.at : reader.at + 80], re.MULTILINE):
            values[match["name"]] = value
    return values


def imports(text: str) -> dict[str, str]:
    """Return the file, as it is written, of each import of one name alone in braces, by the name
    that the module calls it; all other imports are left out.
    """
    return {match["alias"] or match["name"]: match["file"] for match in IMPORT.finditer(text)}


class _Reader:
    """Reads one value of a text, from a place on."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def next(self) -> tuple[str, str]:
        """Return kind and text of the next token, and move behind it. Raises NotLiteral if there is
        none.
        """
        while True:
            match = TOKEN.match(self.text, self.at)
            if match is None:
                raise NotLiteral
            self.at = match.end()
            if match.lastgroup != "skip":
                return str(match.lastgroup), match[0]

    def peek(self) -> str:
        """Return the text of the next token, which is left."""
        at = self.at
        _, text = self.next()
        self.at = at
        return text

    def value(self, depth: int = 0) -> Any:
        """Return the value at this place, a name of a constant as `Name`. Raises NotLiteral for
        code, and for lists or objects too deep in each other.
        """
        kind, text = self.next()
        if depth > DEEPEST:
            raise NotLiteral
        if kind == "number":
            return float(text) if re.search(r"[.eE]", text) else int(text)
        if kind == "text":
            return _unescape(text)
        if kind == "name":
            return WORDS[text] if text in WORDS else Name(text)
        if text == "[":
            return self.items(depth)
        if text == "{":
            return self.members(depth)
        raise NotLiteral

    def items(self, depth: int) -> list[Any]:
        """Return the items of a list up to its closing bracket. Raises NotLiteral."""
        values = []
        while self.peek() != "]":
            values.append(self.value(depth + 1))
            if self.peek() == ",":
                self.next()
            elif self.peek() != "]":
                raise NotLiteral
        self.next()
        return values

    def members(self, depth: int) -> Json:
        """Return the members of an object up to its closing brace; a key alone has itself as its
        value, a `Name`. Raises NotLiteral.
        """
        values: Json = {}
        while self.peek() != "}":
            kind, key = self.next()
            if kind not in ("name", "text", "number"):
                raise NotLiteral
            key = _unescape(key) if kind == "text" else key
            if self.peek() == ":":
                self.next()
                values[key] = self.value(depth + 1)
            else:
                values[key] = Name(key)
            if self.peek() == ",":
                self.next()
            elif self.peek() != "}":
                raise NotLiteral
        self.next()
        return values


def _unescape(text: str) -> str:
    """Return the text of a quoted token. Raises NotLiteral for a template with values."""
    if text.startswith("`") and "${" in text:
        raise NotLiteral
    return re.sub(
        r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text[1:-1], flags=re.DOTALL
    )
