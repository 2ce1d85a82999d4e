"""Places as they are spoken of."""

from __future__ import annotations

import re

from hometown.language import Lang
from hometown.text import catalogue


def speak_places(text: str, lang: Lang) -> str:
    """Return a text with the prepositions that open places take in English, before a mark or at its
    end.

    >>> speak_places("They met at the streets, then at the village green.", "en")
    'They met in the street, then on the village green.'
    """
    for rule in catalogue(lang, "day")["open_places"].splitlines():
        place, said = rule.split(" -> ")
        text = re.sub(rf"\bat {place}(?=[.,;]|$)", said, text)
    return text
