"""Wishes that an inner voice has given: the scripted model plans them, tells them to the residents
concerned, grants or denies those of others, and sums up their outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hometown.agent.mind.meant import is_refraining
from hometown.language import Lang
from hometown.memory.concept import Concept
from hometown.prompt.bounds import DENSITY
from hometown.prompt.dialogue import REASON_LENGTH, ConversationSummaryVars, WishResult
from hometown.scripted.clauses import lower_initial, one_clause
from hometown.scripted.grammar import as_them, to_your_face
from hometown.scripted.naming import casual
from hometown.scripted.phrases import Bank, Move, bank
from hometown.scripted.quarrels import by_tone
from hometown.scripted.scene import Scene, SpokenMove
from hometown.scripted.when import day_of, find_when
from hometown.scripted.words import bare, clip, read_bank
from hometown.text import catalogue
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.resident_names import is_named
from hometown.world.verbs import ing

UTTERED = ("wish_told", "wish_asked")
"""The acts that utter a wish: to tell something, and to ask for something."""

RESULTS: Mapping[str, str] = {
    "wish_heard": "done",
    "wish_granted": "done",
    "wish_denied": "refused",
}
"""The result of an uttered wish, by the act that takes it up."""

GRANTS, CLOSE_GRANTS, CLOSE = 0.55, 0.8, 6
"""Probabilities of granting a wish of others, and of those who are at least so close."""


# the plan ----------------------------------------------------------------------------------


def is_private(text: str, lang: Lang) -> bool:
    """Return True for words that no one else is to hear."""
    return bool(re.search(catalogue(lang, "wishes")["alone"], text, re.IGNORECASE))


def as_activity(text: str, name: str, lang: Lang) -> str:
    """Return a wish as an activity; "" if the words are no wish of the resident's.

    >>> as_activity("Lin Yue wants to tell Chen Siyuan the truth", "Lin Yue", "en")
    'telling Chen Siyuan the truth'
    >>> as_activity("林悦要告诉陈思远真相", "林悦", "zh")
    '告诉陈思远真相'
    """
    first = one_clause(text, lang)
    wanted = re.match(read_bank(lang, "wishing")["wants"], first.removeprefix(name).strip())
    if not first.startswith(name) or not wanted:
        return ""
    return ing(wanted["what"]) if lang == "en" else wanted["what"]


# spoken ------------------------------------------------------------------------------------


def utter(scene: Scene) -> bool:
    """Utter the speaker's latest wish that concerns the other, once in a conversation; return True
    if there is one.
    """
    if scene.has_occurred(*UTTERED, by=scene.me.id):
        return False
    wish = next(_list_wishes(scene), None)
    if wish is None:
        return False
    clause = one_clause(bare(wish.text), scene.bank.lang)
    me = scene.me
    wording = to_your_face(clause, me.name, me.pronouns, scene.other.name, scene.bank.lang)
    slots = {"wish": lower_initial(casual(wording, scene.shorts), scene.bank)}
    return scene.say("wish_told" if _is_telling(clause, scene.bank.lang) else "wish_asked", slots)


def _list_wishes(scene: Scene) -> Iterator[Concept]:
    """Yield the wishes in the speaker's mind that concern the other, the latest first, without
    those to refrain and those dated for a later day.
    """
    for memory in sorted(scene.v.in_mind, key=lambda each: -each.id):
        if memory.predicate != VOICE_PREDICATE or is_refraining(memory.text, scene.bank.lang):
            continue
        dated = day_of(
            find_when(memory.text, scene.bank.lang), memory.created.date(), scene.bank.lang
        )
        if dated and dated > scene.v.situation.now.date():
            continue
        if is_named(scene.other.name, memory.text):
            yield memory


def _is_telling(text: str, lang: Lang) -> bool:
    """Return True for a wish to tell something, which needs no consent."""
    return bool(re.search(read_bank(lang, "wishing")["telling"], text, re.IGNORECASE))


def take_up_telling(scene: Scene, spoken: SpokenMove) -> bool:
    """Take up the news that was the other's wish to tell; return False, since the other need not
    answer.
    """
    scene.say("wish_heard")
    return False


def take_up_asking(scene: Scene, spoken: SpokenMove) -> bool:
    """Grant the other's wish or deny it, by closeness and feelings; return False, since the other
    need not answer.
    """
    share = CLOSE_GRANTS if scene.other.closeness >= CLOSE else GRANTS
    scene.say("wish_granted" if scene.chance(by_tone(scene, share)) else "wish_denied")
    return False


# summed up ---------------------------------------------------------------------------------


def find_results(
    v: ConversationSummaryVars, moves: Sequence[tuple[str, Move]], lang: Lang
) -> list[WishResult]:
    """Return at most one result: that of the wish that the speaker uttered, with the words of the
    first of those it names to answer; none if no wish was uttered or answered, and for the smallest
    models.
    """
    me = v.situation.me.id
    uttered = next(
        (at for at, (who, move) in enumerate(moves) if who == me and move.act in UTTERED), None
    )
    if uttered is None or not v.wish_numbers or v.situation.plain:
        return []
    names = dict(v.people)
    answered = (
        (number, who, move)
        for who, move in moves[uttered + 1 :]
        if who != me and who in names and move.act in RESULTS
        for number in reversed(v.wish_numbers)
        if is_named(names[who], v.candidates_to_settle[number - 1].text)
    )
    first = next(answered, None)
    if first is None:
        return []
    number, who, move = first
    why = bank(lang).words["wish_reply"].format(name=names[who], line=bare(move.text))
    longest = round(REASON_LENGTH * DENSITY[lang])
    how = RESULTS[move.act]
    return [
        WishResult.model_validate({"number": number, "how": how, "why": clip(why, longest, lang)})
    ]


def recount(
    moves: Sequence[tuple[str, Move]],
    names: Mapping[str, str],
    pronouns: Mapping[str, tuple[str, ...]],
    words: Bank,
) -> list[tuple[str, dict[str, str]]]:
    """Return the acts and slots of the summary about wishes that were uttered and taken up."""
    acts = []
    for at, (who, move) in enumerate(moves):
        if move.act not in UTTERED or who not in names:
            continue
        reply = next(
            (
                (other, each.act)
                for other, each in moves[at + 1 :]
                if other != who and each.act in RESULTS and other in names
            ),
            None,
        )
        if reply is not None:
            other, act = reply
            wish = as_them(
                move.slots["wish"],
                names[who],
                pronouns[who],
                words.lang,
                names[other],
                pronouns[other],
            )
            slots = {"a": names[who], "b": names[other], "wish": wish}
            acts.append((f"sum_{act}", slots))
    return acts
