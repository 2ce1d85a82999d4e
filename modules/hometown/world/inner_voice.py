"""What an inner voice says, as the resident remembers it: a statement about itself, in the third
person.

"You want to sing", "I want to sing", "Sing!" and "Why don't you sing?" all become "Isabella
Rodriguez wants to sing", the form of all other memories, so that it is retold like any of them.
Words in quotation marks, and what the voice says of the rest of the world, stay as they are; so
does a sentence that fits none of the rules.
"""

from __future__ import annotations

import re

from hometown.world.inner_voice_en import english_statement
from hometown.world.inner_voice_zh import HAN, chinese_statement
from hometown.world.persona import Persona

_QUOTED = re.compile(
    "“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|(?<!\\w)‘[^’]*’(?!\\w)|(?<!\\w)'[^']*'(?!\\w)"
)
_MASK = "\ue000"
"""Stands for a quotation while the rest is changed: a character that no text has a use for."""


def own_statement(text: str, persona: Persona) -> str:
    """What an inner voice says to a resident, as that resident remembers it. The rules are those of
    the text's language, not of the run's.

    >>> from hometown.world.load import load_world
    >>> isabella = load_world("ville", "en").personas["isabella_rodriguez"]
    >>> own_statement("You're tired, and your feet hurt", isabella)
    'Isabella Rodriguez is tired, and her feet hurt'
    """
    text = text.strip()
    if len(text) > 2 and _QUOTED.fullmatch(text):
        text = text[1:-1].strip()
    quotations = iter(_QUOTED.findall(text))
    rule = chinese_statement if HAN.search(text) else english_statement
    statement = rule(_QUOTED.sub(_MASK, text.replace(_MASK, "")), persona)
    return re.sub(_MASK, lambda _: next(quotations), statement)
