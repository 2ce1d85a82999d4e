"""The memory of an inner voice: a statement about the resident in the third person.

"You want to sing", "I want to sing", "Sing!" and "Why don't you sing?" all become "Isabella
Rodriguez wants to sing", like all other memories. Quotations and statements about others stay as
they are, as do sentences that match no rule.
"""

from __future__ import annotations

import re

from hometown.world.inner_voice_en import english_statement
from hometown.world.inner_voice_zh import HAN, chinese_statement
from hometown.world.persona import Addressee, Persona

QUOTED = re.compile(
    "“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|(?<!\\w)‘[^’]*’(?!\\w)|(?<!\\w)'[^']*'(?!\\w)"
)
_MASK = "\ue000"
"""Replaces a quotation during the change: a character that occurs in no text."""


def own_statement(text: str, resident: Persona | Addressee) -> str:
    """Return the words of an inner voice, without quotation marks around all of it, as the resident
    remembers them, by the rules of the text's language.

    >>> from hometown.world.load import load_world
    >>> isabella = load_world("ville", "en").personas["isabella_rodriguez"]
    >>> own_statement("You're tired, and your feet hurt", isabella)
    'Isabella Rodriguez is tired, and her feet hurt'
    """
    text = text.strip()
    if len(text) > 2 and QUOTED.fullmatch(text):
        text = text[1:-1].strip()
    quotations = iter(QUOTED.findall(text))
    rule = chinese_statement if HAN.search(text) else english_statement
    addressee = Addressee(resident.name, resident.pronouns)
    statement = rule(QUOTED.sub(_MASK, text.replace(_MASK, "")), addressee)
    return re.sub(_MASK, lambda _: next(quotations), statement)
