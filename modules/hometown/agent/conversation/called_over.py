"""Acts of plans, and agreements, that a conversation calls over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.happening_events import is_known_closed
from hometown.agent.planning.agreements import remove_promise
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.participation import settle_agreement, withdraw_from_occasion
from hometown.agent.planning.plan_acts import split_acts
from hometown.agent.planning.plan_clashes import CALLED_OFF_POIGNANCY, CALLED_OFF_PREDICATE
from hometown.agent.planning.plan_settling import drop_entries
from hometown.world.activities import Theme, themes_of
from hometown.world.conversation import Conversation, Line
from hometown.world.rows import Promise

MAX_ERRANDS = 6
"""Maximum number of acts of a plan in the question for the outcome of a conversation, unless more
concern those who took part.
"""


def list_errands(
    mind: Mind, people: Sequence[str], lines: Iterable[Line] = ()
) -> tuple[tuple[int, str], ...]:
    """Return the acts of the resident's own plan that a conversation with `people` may call over,
    each as (start of its entry in minutes since midnight, act): those that concern `people`, from
    the present one on, then coming ones of a kind that its lines forgo, such as "I won't cook
    tonight", up to `MAX_ERRANDS` in all.
    """
    acts = [
        (entry.start, act)
        for entry in mind.state.schedule(mind.who).entries
        if entry.end > mind.minute and entry.kind == "activity"
        for act in split_acts(mind, entry.activity)
    ]
    with_them = [
        (start, act) for start, act in acts if not set(find_concerned(mind, act)).isdisjoint(people)
    ]
    forgone = _find_forgone(mind, lines)
    others = [
        (start, act)
        for start, act in acts
        if start > mind.minute
        and (start, act) not in with_them
        and not forgone.isdisjoint(themes_of(act, mind.world.lang))
    ]
    return (*with_them, *others[: max(0, MAX_ERRANDS - len(with_them))])


def _find_forgone(mind: Mind, lines: Iterable[Line]) -> set[Theme]:
    """Return the themes of the clauses of a conversation that say what is not to be done."""
    lang, texts = mind.world.lang, mind.words.texts
    return {
        theme
        for line in lines
        for clause in re.split("[,;:.!?—，；：。！？]", line.text)
        if re.search(texts["forgoes"], clause, re.IGNORECASE)
        for theme in themes_of(clause, lang)
    }


async def drop_what_is_over(
    talk: Conversation, sums: Mapping[str, SideSummary], minds: Mapping[str, Mind]
) -> None:
    """Drop from the plans the acts and agreements that a side of a conversation calls over: acts
    that concern the others, and agreements all of whose people took part, if they lie ahead or
    their place cannot be used. People who have not called an agreement over themselves remember
    that it is.
    """
    for who, each in sums.items():
        mind = minds[who]
        drop_entries(mind, _settled_errands(each), each.cause)
        over = {memory.text for memory in each.settled_memories}
        for promise in mind.state.promises(who).items:
            is_to_come = promise.start > talk.started or is_known_closed(mind, promise.address)
            is_over = is_to_come and mind.words.agreement(who, promise) in over
            if is_over and set(promise.people) <= set(talk.people):
                for one in promise.people:
                    summed = sums.get(one, each)  # a visitor sums nothing up
                    agreement = minds[one].words.agreement(one, promise)
                    if one in sums and all(
                        agreement != memory.text for memory in summed.settled_memories
                    ):
                        await _remember_over(minds[one], promise, who, summed.cause)
                    remove_promise(minds[one], promise, summed.cause)
                    withdraw_from_occasion(minds[one], promise, one, summed.cause)


async def _remember_over(mind: Mind, promise: Promise, who: str, cause: str) -> None:
    """Remember that an agreement does not hold any more, as `who` has called it over, and settle the
    memory of having made it.
    """
    others = tuple(one for one in promise.people if one != mind.who)
    subject = others[0] if others else ""
    text = mind.words.say(
        "called_over",
        name=mind.me.name,
        others=mind.words.names(others),
        what=promise.part_of(mind.who),
        when=mind.words.when(promise.start),
        place=mind.world.place_name(promise.address),
    )
    memory = NewMemory(
        "event", text, who, CALLED_OFF_PREDICATE, subject, talk=promise.talk, about=others
    )
    await mind.remember([memory], [CALLED_OFF_POIGNANCY], cause)
    settle_agreement(mind, [promise.talk], promise.address, cause)


def _settled_errands(summed: SideSummary) -> list[tuple[int, str]]:
    """Return the acts of a side's plan that it names as over, as (minute of the entry, act)."""
    first = len(summed.asked.candidates_to_settle) + 1
    return [
        summed.asked.errands[number - first] for number in summed.reply.settled if number >= first
    ]
