"""Retell a town's texts with the names of other residents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hometown.authoring.districts.people_names import Called
from hometown.language import LANGS


class Retold:
    """A text that is told again and again with other names."""

    def __init__(self, text: str, names: Iterable[str]) -> None:
        words = [
            rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
            for name in sorted(names, key=len, reverse=True)
        ]
        self.parts = re.split(f"({'|'.join(words)})", text)

    def of(self, others: Mapping[str, str]) -> str:
        """Return the text, with the other name wherever there is one.

        >>> Retold("Sam and Samantha", ["Sam"]).of({"Sam": "Leo"})
        'Leo and Samantha'
        """
        return "".join(
            others.get(part, part) if at % 2 else part for at, part in enumerate(self.parts)
        )


def retell_texts(content: Any, retell: Callable[[str], str], lang: str = "") -> Any:
    """Return the content of a file with its texts retold, which are those that it has by language;
    addresses, ids and paths stay, whatever names are in them.

    >>> retell_texts({"home": "Sam's", "name": {"en": "Sam"}}, lambda text: text.replace("Sam", "Leo"))
    {'home': "Sam's", 'name': {'en': 'Leo'}}
    """
    if isinstance(content, dict):
        return {key: retell_texts(part, retell, key) for key, part in content.items()}
    if isinstance(content, list):
        return [retell_texts(part, retell, lang) for part in content]
    return retell(content) if lang in LANGS and isinstance(content, str) else content


def others_for(own: Called, new: Called, places: str) -> dict[str, str]:
    """Return the replacement of each name: full names, and first names that belong to a single
    resident and to no place; `places` holds the names of all places.

    >>> others_for({"sam": {"en": "Sam Hill"}, "eva": {"en": "Oak Tree"}}, {"sam": {"en": "Leo Ward"}, "eva": {"en": "Ida Baker"}}, "Oak Park")
    {'Sam Hill': 'Leo Ward', 'Oak Tree': 'Ida Baker', 'Sam': 'Leo'}
    """
    whole = {name: new[who][lang] for who, names in own.items() for lang, name in names.items()}
    firsts = [(_first(name), _first(other)) for name, other in whole.items() if " " in name]
    known = [first for first, _ in firsts] + re.findall(r"\w+", places)
    return whole | {first: other for first, other in firsts if known.count(first) == 1}


def _first(name: str) -> str:
    return name.partition(" ")[0]
