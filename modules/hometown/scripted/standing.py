"""Describe a resident's relationship with another in one or two sentences from memory."""

from __future__ import annotations

import random
import re

from hometown.language import Lang
from hometown.prompt.bounds import DENSITY
from hometown.prompt.dialogue import RELATION_LENGTH, ConversationSummaryVars, RelationVars
from hometown.prompt.reactions import Neighbour
from hometown.scripted import clauses, gossip
from hometown.scripted.phrases import bank
from hometown.scripted.setting import closeness_tag
from hometown.scripted.words import clip

Vars = RelationVars | ConversationSummaryVars


def standing(v: Vars, other: Neighbour, rng: random.Random, lang: Lang) -> str:
    """Return a text about the relation to another, with a fact or opinion that the resident holds
    about them; only the first sentence if both are too long, and the name if there is nothing to
    say.
    """
    words, me = bank(lang), v.situation.me
    closeness = closeness_tag(other)
    slots = {
        "me": me.name,
        "name": other.name,
        "relation": _without_stop(other.relation),
        "work": _without_stop(other.occupation),
        "memory": _find_weightiest(v, other, lang),
    }
    if other.last_conversation:
        slots |= {"talks": str(other.conversations), "last": f"{other.last_conversation:%H:%M}"}
    pieces = []
    for act in ("rel_is", "rel_more"):
        general, special = words.offers(act, [closeness], slots)
        if frames := special or general:
            pieces.append(rng.choice(frames).fill(slots))
    summary, longest = words.join(pieces), round(RELATION_LENGTH * DENSITY[lang])
    return clip(summary if len(summary) <= longest else pieces[0], longest, lang) or other.name


def _find_weightiest(v: Vars, other: Neighbour, lang: Lang) -> str:
    """Return the most poignant thing that the resident knows or thinks of the other, "" if there is
    none.
    """
    me = v.situation.me
    about = [
        memory
        for memory in v.memories
        if memory.type in ("event", "thought")
        and other.name in memory.text
        and memory.poignancy >= gossip.WORTH_SAYING
    ]
    if not about:
        return ""
    clause = clauses.one_clause(
        clauses.split_source(
            max(about, key=lambda memory: (memory.poignancy, memory.id)).text, lang
        )[0],
        lang,
    )
    return (
        me.pronouns[0] + clause[len(me.name) :]
        if me.pronouns and re.match(rf"{re.escape(me.name)}(?!['’]s)", clause)
        else clause
    )


def _without_stop(text: str) -> str:
    """Return a description as part of a sentence: without its full stop."""
    return text.strip().rstrip(".。")
