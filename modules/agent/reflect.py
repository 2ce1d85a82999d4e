"""Reflection: from what was lived to what it means, with the evidence kept (Park et al. 2023, §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from modules.agent.perceive import rate
from modules.agent.thinking import NewMemory, Thinking, concepts
from modules.memory.associate import Scored
from modules.memory.concept import Concept
from modules.prompt.noticing import Happening
from modules.prompt.reflecting import CHATS, FOCUS, INSIGHTS, ChatsVars, FocusVars, InsightsVars
from modules.text import overlap
from modules.world.effects import Reflected

CHATS_AT_ONCE = 12
"""Talks since the last reflection that are thought over, the latest first."""

FOCUS_SHOWN = 30
"""Of the latest `think.focus_recent` memories, those that mattered most are looked back on; who passed by would drown them."""

SAME = 0.5
"""Overlap (Jaccard, of character trigrams) from which on a thought about the same people is one that they know already."""

Thoughts = tuple[list[NewMemory], str]
"""Thoughts, and the call that gave them."""


async def reflect(mind: Thinking) -> None:
    """Reflects once the poignancy of what was lived since the last time reaches the threshold."""
    if mind.state.mind(mind.who).poignancy < mind.settings.think.poignancy_max:
        return
    focus, cause = await mind.ask(FOCUS, FocusVars(mind.situation, _looked_back_on(mind), mind.settings.think.questions))
    questions = focus.questions[: mind.settings.think.questions]
    recalls = await mind.gather_recalls(questions, mind.settings.associate.retrieve_max)
    trains = [partial(_insights, question=question, found=found) for question, found in zip(questions, recalls, strict=True) if found]
    await _keep(mind, await mind.at_once(*trains, _think_over_chats))
    mind.do(Reflected(mind.who, mind.now), cause)


def _looked_back_on(mind: Thinking) -> tuple[Concept, ...]:
    """The latest memories, oldest first; of many those that mattered most, the newer of equals."""
    recent = mind.state.memory(mind.who).recent(("event", "thought", "chat"), mind.settings.think.focus_recent)
    weighty = sorted(recent, key=lambda memory: (-memory.poignancy, -memory.id))[:FOCUS_SHOWN]
    return tuple(sorted(weighty, key=lambda memory: memory.id))


async def _insights(mind: Thinking, question: str, found: list[Scored]) -> Thoughts:
    variables = InsightsVars(mind.situation, question, concepts(found), mind.settings.think.insights)
    reply, cause, asked = await mind.ask_by_number(INSIGHTS, variables, found)
    insights = reply.insights[: mind.settings.think.insights]
    return [_thought(mind, one.thought, [asked.memories[number - 1] for number in dict.fromkeys(one.evidence)]) for one in insights], cause


async def _think_over_chats(mind: Thinking) -> Thoughts:
    """What the talks since the last reflection leave to do and to keep in mind."""
    since = mind.state.mind(mind.who).reflected
    recent = mind.state.memory(mind.who).recent(("chat",), CHATS_AT_ONCE)
    chats = tuple(chat for chat in reversed(recent) if since is None or chat.created > since)
    if not chats:
        return [], ""
    reply, cause, asked = await mind.ask_by_number(CHATS, ChatsVars(mind.situation, chats))
    return [_thought(mind, text, [asked.chats[one.chat - 1]]) for one in reply.thoughts for text in (one.plan, one.memo) if text], cause


def _thought(mind: Thinking, text: str, evidence: Sequence[Concept]) -> NewMemory:
    about = tuple(dict.fromkeys(one for memory in evidence for one in memory.about if one != mind.who))
    return NewMemory("thought", text, mind.who, "think", evidence=tuple(memory.id for memory in evidence), about=about)


async def _keep(mind: Thinking, groups: Sequence[Thoughts]) -> None:
    """Stores thoughts that are new to their owner, rated in one call."""
    known = [(memory.text, memory.about) for memory in mind.state.memory(mind.who).recent(("thought",), mind.settings.think.focus_recent)]
    new: dict[str, tuple[NewMemory, str]] = {}
    for thoughts, cause in groups:
        for thought in thoughts:
            if not any(about == thought.about and overlap(text, thought.text) >= SAME for text, about in known):
                new[thought.text] = (thought, cause)
                known.append((thought.text, thought.about))
    if not new:
        return
    ratings, _ = await rate(mind, [Happening(thought.text, "thought", thought.about) for thought, _ in new.values()])
    await mind.around.caller.embed(list(new))
    for (thought, cause), rating in zip(new.values(), ratings, strict=True):
        await mind.remember([thought], [rating], cause)
