"""Conversations: who may talk to whom, and what is said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from hometown.agent.acting.act import (
    describe_neighbour,
    free_stretches,
    may_speak_to,
    may_start_conversation,
    upcoming,
)
from hometown.agent.conversation.aftermath import end_participation
from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.conversation.dealings import recall_dealings
from hometown.agent.mind import Mind, concepts
from hometown.agent.mind.intent import Intent
from hometown.agent.planning.day_plan import PLAN_PREDICATE
from hometown.agent.planning.place_choice import meeting_places
from hometown.memory.scoring import Scored
from hometown.prompt.talking import RELATION, UTTERANCE, RelationVars, UtteranceVars, repeats
from hometown.together import together
from hometown.world.conversation import Conversation, Line

RECENT_CONVERSATIONS = 20
"""Latest conversations among which the last one with the same partner is searched for."""

MAX_RECALLED_AT_OPENING, MAX_RECALLED_PER_LINE = 4, 1
"""Memories that come to mind at the beginning of a conversation, and for each line of another's, at
most.
"""


def may_meet(asker: Mind, asked: Mind) -> bool:
    """Whether the two can talk now: awake, in sight of the arena, free, and not on the way to
    something urgent.
    """
    return (
        asker.arena == asked.arena
        and asker.state.talking(asker.who) is None
        and may_speak_to(asker, asked.who)
        and may_start_conversation(asked)
        and asked.state.schedule(asked.who).at(asked.minute).kind != "sleep"
    )


async def hold_conversation(
    opener: Mind, partner: Mind, joining: Sequence[Mind], intent: Intent
) -> Conversation:
    """Holds a conversation to its end. What it leaves with those who took part, they think over
    later.
    """
    return await hold(Circle(opener, partner, joining, intent.topic), intent.cause, SpeakingHere())


async def hold(circle: Circle, cause: str, speaking: Speaking) -> Conversation:
    """The same for a circle whose minds may be elsewhere."""
    await together(speaking.meet(speaker, circle) for speaker in circle.speakers)
    talk = make_conversation(circle, await _speak(circle, speaking))
    await together(speaking.part(speaker, circle, talk, cause) for speaker in circle.taking_part)
    return talk


class Speaking(Protocol):
    """What each side of a conversation does for itself. Nothing of it reaches another side but what
    is said.
    """

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        """Thinks of the others as they meet."""
        ...

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool]:
        """The next line, whether it rounds the conversation off, and whether it repeats what was
        said.
        """
        ...

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        """How much somebody wants to speak after the last line."""
        ...

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        """Is left with what was said; the opener knows what it led to, by `cause`."""
        ...


class SpeakingHere:
    """Speaking with minds that are here."""

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        opener, partner = (one.mind for one in circle.speakers[:2])
        speaker.mind.company = partner.who if speaker.mind is opener else opener.who
        await _think_of_the_others(speaker, circle)

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool]:
        mind = speaker.mind
        reply, call = await mind.ask(
            UTTERANCE, await _prepare_utterance(speaker, circle), speaker.found
        )
        return (
            Line(mind.who, reply.say, call),
            reply.end,
            repeats(reply.say, [earlier.text for earlier in circle.lines]),
        )

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        await speaker.mind.context.caller.embed([circle.lines[-1].text])
        return circle.urge(speaker)

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        speaker.opening = speaker.opening or await _prepare_opening(speaker, circle)
        end_participation(speaker, circle, talk, cause)


def make_conversation(circle: Circle, ended_by: str) -> Conversation:
    """The conversation as it was, but for its summary."""
    opener, partner = (one.mind for one in circle.speakers[:2])
    head = (
        f"{opener.moment.step}-{opener.who}",
        opener.moment.step,
        opener.who,
        partner.who,
        opener.arena,
        opener.now,
    )
    return Conversation(
        *head, duration(opener, circle.lines), tuple(circle.lines), "", ended_by
    ).among(circle.presences())


def duration(mind: Mind, lines: Sequence[Line]) -> int:
    """Duration of a conversation in game minutes: for each line a pause, and the time to speak it."""
    chat = mind.settings.chat
    characters = sum(len(line.text) for line in lines)
    minutes = (
        len(lines) * chat.seconds_per_line / 60
        + characters / chat.characters_per_minute[mind.world.lang]
    )
    return min(max(1, math.ceil(minutes)), chat.max_minutes)


# speaking ----------------------------------------------------------------------------------


async def _think_of_the_others(speaker: Speaker, circle: Circle) -> None:
    """How the speaker stands with the others and what it last talked about with one of them, from
    its own memories.
    """
    mind, others = speaker.mind, [one.who for one in circle.speakers if one is not speaker]
    if not mind.settings.thrift.relations_afterwards:
        for other in others:
            before = mind.state.relation(mind.who, other).summary
            found = await mind.recall(
                [mind.words.say("recall_other", name=mind.me.name, other=mind.words.name(other))]
            )
            reply, _ = await mind.ask(
                RELATION,
                RelationVars(
                    mind.situation, describe_neighbour(mind, other), concepts(found), before
                ),
                found,
            )
            speaker.standings[other] = reply.summary
    talks = mind.state.memory(mind.who).recent(("chat",), RECENT_CONVERSATIONS)
    speaker.before = next(
        (talk.text for talk in talks if talk.object == others[0] or others[0] in talk.about), ""
    )


async def _speak(circle: Circle, speaking: Speaking) -> str:
    """Lines, one speaker after the other, until nobody is left to talk with, somebody repeats what
    was said, or there have been enough; which of them.
    """
    while len(circle.lines) < circle.max_lines:
        speaker = await _next_speaker(circle, speaking)
        line, ends, again = await speaking.utter(speaker, circle)
        if again:
            return "repetition"
        circle.lines.append(line)
        if ends:
            circle.end(speaker)
            if not circle.is_going_on:
                return "word"
    return "rounds"


async def _next_speaker(circle: Circle, speaking: Speaking) -> Speaker:
    first, *others = circle.next_speakers()
    if not others:
        return first
    urges = await together(speaking.urge(one, circle) for one in (first, *others))
    return min(zip(urges, (first, *others), strict=True), key=lambda each: (-each[0], each[1].who))[
        1
    ]


async def _prepare_utterance(speaker: Speaker, circle: Circle) -> UtteranceVars:
    """What the speaker has in mind after these lines: at first all about the others, later only
    what the last line adds.
    """
    last = len(circle.lines) - 1
    if speaker.opening is None:
        speaker.opening = await _prepare_opening(speaker, circle)
    elif last not in speaker.recalled:
        known, others = (
            {scored.concept.id for scored in speaker.found},
            [one.who for one in circle.met_by(speaker)],
        )
        found = [
            scored
            for scored in await _recall(
                speaker, [circle.lines[-1].text], MAX_RECALLED_PER_LINE, others
            )
            if scored.concept.id not in known
        ]
        speaker.found += found
        speaker.recalled[last] = concepts(found)
    return replace(speaker.opening, lines=circle.dialogue(speaker), closing=circle.closing(speaker))


async def _prepare_opening(speaker: Speaker, circle: Circle) -> UtteranceVars:
    """What comes to mind about the last conversation with the others, or else the first of them,
    about the topic, and about what was said.
    """
    mind, lines = speaker.mind, circle.lines[speaker.came : circle.end_of(speaker)]
    company = tuple(speaker.companion(one.who) for one in circle.met_by(speaker))
    about = mind.words.say("recall_other", name=mind.me.name, other=company[0].other.name)
    queries = [speaker.before or about, speaker.topic, *(line.text for line in lines)]
    speaker.found += await _recall(
        speaker,
        [text for text in queries if text],
        MAX_RECALLED_AT_OPENING,
        [one.other.id for one in company],
    )
    return UtteranceVars(
        situation=mind.situation,
        company=company,
        topic=speaker.topic,
        memories=concepts(speaker.found),
        lines=(),
        closing=circle.closing(speaker),
        plan=upcoming(mind),
        free=free_stretches(mind),
        places=meeting_places(
            mind,
            [
                speaker.topic,
                *(scored.concept.text for scored in speaker.found),
                *(line.text for line in lines),
            ],
        ),
        dealings=recall_dealings(mind, [one.other.id for one in company]),
    )


async def _recall(
    speaker: Speaker, queries: list[str], count: int, others: Sequence[str]
) -> list[Scored]:
    """What comes to mind, but for plans of days, since the prompt says what is left of today's, and
    talks with others, whose news is a memory of its own.
    """
    found = await speaker.mind.recall(
        queries, count=min(2 * count, speaker.mind.settings.associate.retrieve_max)
    )
    fitting = (scored for scored in found if scored.concept.predicate != PLAN_PREDICATE)
    return [
        scored
        for scored in fitting
        if scored.concept.type != "chat" or any(other in scored.concept.about for other in others)
    ][:count]
