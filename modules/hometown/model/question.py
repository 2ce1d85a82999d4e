"""A question with which a model is examined: a line of dialogue between two made-up people, also as
the variables of a prompt, for backends that read these instead of text.
"""

from __future__ import annotations

from datetime import datetime

from hometown.language import Lang
from hometown.model.llm import Request
from hometown.prompt.dialogue import UTTERANCE, Companion, UtteranceVars
from hometown.prompt.prompt import Situation
from hometown.prompt.reactions import Neighbour
from hometown.prompt.schema import schema_for
from hometown.records import Message
from hometown.text import N_
from hometown.world.persona import Persona

_WORDS: dict[Lang, tuple[str, str, tuple[str, ...], str]] = {
    "en": ("Ann", "Bea", ("she", "her", "her"), "café"),
    "zh": ("安安", "贝贝", ("她",), "咖啡馆"),
}

QUESTIONS: dict[Lang, str] = {
    "en": N_(
        "You meet a neighbour at the café in the morning. Say one friendly sentence to "
        "her, in English. Answer as JSON."
    ),
    "zh": N_("早上你在咖啡馆遇到一位邻居，用中文对她说一句友好的话。用 JSON 回答。"),
}
"""Questions that ask for a line in each language."""


def line_request(question: str, lang: Lang) -> Request:
    """Return a request for a line of dialogue, with the schema of runs."""
    variables = greeting(lang)
    return Request(
        UTTERANCE.kind,
        lang,
        variables,
        (Message("user", question),),
        schema_for(UTTERANCE, variables),
        UTTERANCE.max_tokens,
        0.2,
    )


def greeting(lang: Lang) -> UtteranceVars:
    """Return the variables of a meeting of two neighbours at the café, before the first line."""
    name, other, pronouns, place = _WORDS[lang]
    me = Persona(
        "ann", name, 30, "", "", "", "", "", "", 420, 1380, "town/home", "town/home/bed", pronouns
    )
    neighbour = Neighbour("bea", other, "", "", "", 5, 0, None)
    situation = Situation(
        me, "", datetime(2025, 2, 13, 9, 0), place, "", ((me.id, name), (neighbour.id, other)), lang
    )
    return UtteranceVars(situation, (Companion(neighbour),), "", (), (), 0, (), (), ())
