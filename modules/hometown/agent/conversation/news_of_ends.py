"""The ends of happenings that are told in conversations."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.conversation.fresh_news import find_teller
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.happening_ends import (
    ENDED_POIGNANCY,
    find_outdated,
    list_ended,
    settle_ended,
    tell_end,
)
from hometown.memory.concept import ENDED_PREDICATE
from hometown.prompt.dialogue import Learnt
from hometown.world.conversation import Line


async def enter_news_of_ends(
    mind: Mind, talk: str, summed: SideSummary, lines: Sequence[Line]
) -> list[Learnt]:
    """Remember the end of each happening that the resident believed to go on and of whose end a
    conversation has told: as news, in a line, or so that the resident names a memory of it as over.

    Args:
        mind: the mind of the resident.
        talk: the id of the conversation.
        summed: its outcome for the resident.
        lines: the lines of the others.

    Returns:
        The other news.
    """
    others = [one.other.id for one in summed.asked.others]
    over = {memory.id for memory in summed.settled_memories}
    learnt = list(summed.reply.learnt)
    for ended in list_ended(mind):
        beliefs = find_outdated(mind, ended)
        news = [each.what for each in learnt if ended.is_end_mentioned_in(each.what)]
        is_told = any(ended.is_end_mentioned_in(line.text) for line in lines)
        if not beliefs or not (news or is_told or any(each.id in over for each in beliefs)):
            continue
        text = news[0] if news else tell_end(mind, ended)
        teller = find_teller(text, lines, others)
        memory = NewMemory(
            "event", text, ended.address, ENDED_PREDICATE, talk=talk, about=(teller,)
        )
        settle_ended(mind, await mind.remember([memory], [ENDED_POIGNANCY], summed.cause))
        learnt = [each for each in learnt if each.what not in news]
    return learnt
