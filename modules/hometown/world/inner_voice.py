"""The memory of an inner voice: a statement about the resident in the third person.

"You want to sing", "I want to sing", "Sing!" and "Why don't you sing?" all become "Isabella
Rodriguez wants to sing", like all other memories. Quotations and statements about others stay as
they are, as do sentences that match no rule.
"""

from __future__ import annotations

import re

from hometown.text import catalogue, split_sentences
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


def is_news(text: str) -> bool:
    """Return True if the words of an inner voice only state how things are: nothing is to be done.

    >>> is_news("The list is finished, and Lin is on it."), is_news("The list is to be read.")
    (True, False)
    >>> is_news("名单定了，林悦的名字在上面。"), is_news("林悦要看名单。")
    (True, False)
    """
    pattern = catalogue("zh" if HAN.search(text) else "en", "wishes")["news"]
    return all(re.search(pattern, sentence.strip()) for sentence in split_sentences(text))
