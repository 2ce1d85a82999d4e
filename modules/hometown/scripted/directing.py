"""Move as the director by rule: a stock of occasions, letters and strangers that fit any town."""

from __future__ import annotations

from random import Random

from hometown.language import Lang
from hometown.prompt.bounds import DENSITY
from hometown.prompt.director_prompt import (
    REASON_LENGTH,
    DirectorReply,
    DirectorVars,
    OpenMatter,
    make_no_move,
)
from hometown.prompt.stranger_drafts import StrangerReply, StrangerVars, make_no_stranger
from hometown.scripted.words import clip, read_bank
from hometown.world.director_moves import MoveKind

SHORTEST_STAY, LONGEST_STAY = 3, 8
"""Range of hours for which a stranger is in town."""

KINDS: tuple[MoveKind, ...] = ("occasion", "letter", "stranger")


def answer_director(v: DirectorVars, rng: Random, lang: Lang) -> DirectorReply:
    """Plant something that was not planted before, in the place with the most people; a letter goes
    to a resident of the first open matter. Nothing is planted while something happens, or for
    nobody.
    """
    phrases = read_bank(lang, "directing")
    kinds = KINDS if v.strangers else ("occasion", "letter")
    stock = [(kind, text) for kind in kinds for text in phrases[kind] if text not in v.earlier]
    if not (stock and v.people) or any(matter.kind == "happening" for matter in v.matters):
        return make_no_move(v)
    kind, text = rng.choice(stock)
    matter = v.matters[0] if v.matters else OpenMatter("concern", "")
    names = [name for _, name in v.people]
    readers = [names.index(name) + 1 for name in matter.who if name in names]
    about = matter.text or phrases["between"].join(matter.who)
    why = phrases["why"].format(matter=about) if about else ""
    return DirectorReply(
        move=kind,
        place=1,
        reader=rng.choice(readers or range(1, len(names) + 1)),
        text=text,
        why=clip(why, round(REASON_LENGTH * DENSITY[lang]), lang),
    )


def answer_stranger(v: StrangerVars, rng: Random, lang: Lang) -> StrangerReply:
    """Draft the stranger whom the text of the stock describes, or else any whose name is not taken;
    they leave on the same day.
    """
    phrases = read_bank(lang, "directing")
    stock = dict(zip(phrases["stranger"], phrases["people"], strict=True))
    free = [each for each in stock.values() if each["name"] not in v.names]
    if not free:
        return make_no_stranger(v)
    seen = [stock[v.text]] if v.text in stock else []
    chosen = next((each for each in seen if each in free), None) or rng.choice(free)
    texts = {
        key: value.format(name=chosen["name"]) if isinstance(value, str) else value
        for key, value in chosen.items()
    }
    return StrangerReply(**texts, hours=rng.randint(SHORTEST_STAY, LONGEST_STAY))
