"""A model that fills any schema with random valid JSON, and nothing else: what it says fits, and
means nothing.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from random import Random
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from hometown.language import Lang
from hometown.model.llm import Completion, LanguageModel, Request

WORDS: dict[Lang, tuple[str, ...]] = {
    "en": ("the", "old", "lamp", "walks", "to", "a", "pier", "and", "sings", "of", "rain"),
    "zh": ("那盏", "旧灯", "走到", "码头", "唱着", "雨", "还有", "面包"),
}
ENDS: dict[Lang, tuple[str, ...]] = {
    "en": (" ", " ", " ", " ", ", ", ". ", "? ", "! "),
    "zh": ("", "", "", "，", "。", "？", "！"),
}
ODD = "\"\\'<>{}[]|%$#@&*~`\x7f\x85\u00a0\u2028\u200b\u202e\ufeff\U0001f642\u3000…0123456789:/-—"
"""Characters that are seldom in replies, of no language."""

LONGEST = 200
"""Characters of a text without a bound."""


class AnyJson:
    """A `LanguageModel` whose every reply fits its schema, drawn by the seed of the request."""

    name = "any json"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        return Completion(
            json.dumps(value(request.schema, Random(seed), request.lang), ensure_ascii=False), 1, 1
        )


class Asked:
    """Stands around a model, and keeps up to `most` of the requests for each kind of prompt, spread
    over the run.
    """

    def __init__(self, model: LanguageModel, most: int = 20) -> None:
        self.model, self.name = model, model.name
        self.most = most
        self.requests: dict[str, list[Request]] = defaultdict(list)
        self._chance = Random(1)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        kept = self.requests[request.kind]
        if len(kept) < self.most:
            kept.append(request)
        else:
            kept[self._chance.randrange(self.most)] = request
        return await self.model.complete(request, seed=seed, priority=priority)


def value(schema: dict[str, Any], chance: Random, lang: Lang) -> Any:
    """A random value that fits a schema to the letter; often one at a bound."""
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema["type"]
    if kind == "object":
        return {name: value(part, chance, lang) for name, part in schema["properties"].items()}
    if "prefixItems" in schema:
        return [value(part, chance, lang) for part in schema["prefixItems"]]
    if kind == "array":
        item = value(schema["items"], chance, lang)
        count = _between(schema.get("minItems", 0), schema.get("maxItems", 12), chance)
        return [
            item if chance.random() < 0.3 else value(schema["items"], chance, lang)
            for _ in range(count)
        ]
    if kind == "integer":
        return _between(
            schema.get("minimum", -sys.maxsize), schema.get("maximum", sys.maxsize), chance
        )
    return chance.random() < 0.5 if kind == "boolean" else _text(schema, chance, lang)


def largest(schema: dict[str, Any], lang: Lang) -> Any:
    """The longest value that fits a schema, its texts of ordinary words. Raises KeyError where a
    list or a text has no bound.
    """
    if "enum" in schema:
        return max(schema["enum"], key=lambda one: len(str(one)))
    kind = schema["type"]
    if kind == "object":
        return {name: largest(part, lang) for name, part in schema["properties"].items()}
    if "prefixItems" in schema:
        return [largest(part, lang) for part in schema["prefixItems"]]
    if kind == "array":
        return [largest(schema["items"], lang)] * int(schema["maxItems"])
    if kind == "string":
        if "pattern" in schema:
            return _text(schema, Random(1), lang)
        return ENDS[lang][0].join(WORDS[lang] * 100)[: schema["maxLength"]]
    return schema["maximum"] if kind == "integer" else False


def _between(low: int, high: int, chance: Random) -> int:
    return chance.choice((low, high, chance.randint(low, high), chance.randint(low, high)))


def _text(schema: dict[str, Any], chance: Random, lang: Lang) -> str:
    if "pattern" in schema:
        return "".join(_matching(_parser.parse(schema["pattern"]), chance))
    wanted = _between(schema.get("minLength", 0), schema.get("maxLength", LONGEST), chance)
    words = chance.choice(WORDS[lang]) if wanted else ""
    while len(words) < wanted:
        words += chance.choice(ENDS[lang]) + (
            chance.choice(WORDS[lang])
            if chance.random() < 0.9
            else "".join(chance.choices(ODD, k=3))
        )
    return words[:wanted]


def _matching(parts: Any, chance: Random) -> list[str]:
    """A text that a parsed regular expression matches, piece by piece."""
    found: list[str] = []
    for name, argument in parts:
        if name is _constants.LITERAL:
            found.append(chr(argument))
        elif name is _constants.IN:
            found.append(_member(argument, chance))
        elif name is _constants.SUBPATTERN:
            found += _matching(argument[-1], chance)
        elif name is _constants.BRANCH:
            found += _matching(chance.choice(argument[1]), chance)
        elif name is _constants.MAX_REPEAT:
            low, high, repeated = argument
            found += [
                text
                for _ in range(_between(low, min(high, low + 12), chance))
                for text in _matching(repeated, chance)
            ]
        else:
            assert name is _constants.AT, f"no replies are made for {name}"
    return found


def _member(members: Any, chance: Random) -> str:
    """A character of a set; of a negated one an odd one."""
    (first, _), *_ = members
    if first is _constants.NEGATE:
        return chance.choice(
            [one for one in ODD if not any(_holds(member, ord(one)) for member in members[1:])]
        )
    name, argument = chance.choice(members)
    return chr(argument) if name is _constants.LITERAL else chr(chance.randint(*argument))


def _holds(member: Any, code: int) -> bool:
    name, argument = member
    return bool(
        code == argument if name is _constants.LITERAL else argument[0] <= code <= argument[1]
    )
