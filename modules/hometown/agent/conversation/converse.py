"""Holding conversations: permission to meet, and lines spoken in turn."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Protocol

from hometown.agent.acting.chances import find_listeners
from hometown.agent.acting.partners import describe_neighbour, may_speak_to, may_start_conversation
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.conversation.aftermath import end_participation
from hometown.agent.conversation.circle import Circle, Speaker
from hometown.agent.mind import Mind, concepts
from hometown.agent.mind.circumstances import MAX_EARSHOT
from hometown.agent.mind.facing import recall_facing, recall_for_line
from hometown.agent.planning.at_occasions import are_due_to_meet, find_agreed_meeting
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.place_choice import conversation_places
from hometown.agent.planning.rest_of_day import free_stretches, upcoming
from hometown.agent.working.society_plugin import society_in
from hometown.prompt.dialogue import RELATION, UTTERANCE, RelationVars, UtteranceVars, repeats
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation, Line
from hometown.world.rows import Promise, earlier_lines

LATELY = timedelta(days=3)
"""Time for which residents know what they have said to others than those they talk to."""

RECENT_CONVERSATIONS = 20
"""Number of latest conversations among which the last one with the same partner is searched for."""

MAX_PUBLIC_PLACES = 8
"""Maximum number of public places to meet in a prompt; the summary adds those that were named."""

MAX_RECALLED_AT_OPENING, MAX_RECALLED_PER_LINE = 6, 2
"""Maximum number of memories recalled at the opening, and for each line of others; one more for a
line that names residents who are not there.
"""


def may_meet(asker: Mind, asked: Mind) -> bool:
    """Return True if two residents are in one arena, awake, free and past the cooldown of their
    last conversation, and the one asked has no appointment soon. Those who have met by agreement
    need neither, and if the asker has decided on it, the one asked need only not be on the way. A
    visitor has no plans that would come before it.
    """
    is_meant = asker.state.approaches(asker.who).means_to_address(asked.who)
    return (
        asker.arena == asked.arena
        and asker.state.talking(asker.who) is None
        and may_speak_to(asker, asked.who)
        and (
            asked.me.is_visitor
            or (
                (
                    may_start_conversation(asked, is_meant=is_meant)
                    or are_due_to_meet(asked, asker.who)
                )
                and asked.state.schedule(asked.who).at(asked.minute).kind != "sleep"
            )
        )
    )


async def hold_conversation(
    opener: Mind,
    partner: Mind,
    joining: Sequence[Mind],
    topics: Mapping[str, str],
    cause: str,
    speaking: Speaking,
) -> Conversation:
    """Hold a conversation to its end and return it, not yet summed up.

    Its outcome for the participants becomes a question that they answer in the next step.

    Args:
        opener: the resident who asked for it.
        partner: the resident who was asked.
        joining: residents who join the two, in order.
        topics: what those who asked for it want to talk about.
        cause: the reason for the conversation, which is recorded.
        speaking: the part of each side, whose mind may be in another process.
    """
    circle = Circle(opener, partner, joining, topics)
    await run_concurrently(speaking.meet(speaker, circle) for speaker in circle.speakers)
    talk = make_conversation(circle, await _speak(circle, speaking))
    await run_concurrently(
        speaking.part(speaker, circle, talk, cause) for speaker in circle.taking_part
    )
    return talk


class Speaking(Protocol):
    """The part of each side in a conversation. Sides learn nothing of each other but what is said."""

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        """Prepare for the others before the first line."""
        ...

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool] | None:
        """Return the next line, True if the speaker ends with it, and True if it repeats an earlier
        line; None if the speaker, a visitor, says nothing more.
        """
        ...

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        """Return the speaker's urge to speak after the last line."""
        ...

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        """End the participation of a speaker; `cause` is the reason for the conversation."""
        ...


class LocalSpeaking:
    """The part of sides whose minds are in this process: prompts, recall and effects on the minds.
    Visitors are silent in it.
    """

    async def meet(self, speaker: Speaker, circle: Circle) -> None:
        if speaker.mind.me.is_visitor:
            return
        opener, partner = (one.mind for one in circle.speakers[:2])
        speaker.mind.company = partner.who if speaker.mind is opener else opener.who
        await _think_of_the_others(speaker, circle)

    async def utter(self, speaker: Speaker, circle: Circle) -> tuple[Line, bool, bool] | None:
        """Ask the model for the speaker's next line, after recalling memories for it."""
        mind = speaker.mind
        if mind.me.is_visitor:
            return None
        variables = await _prepare_utterance(speaker, circle)
        reply, call = await mind.ask(UTTERANCE, variables, speaker.found)
        return (
            Line(mind.who, reply.say, call),
            reply.end or variables.last_round,
            repeats(
                reply.say,
                [line.text for line in circle.lines if line.speaker == mind.who],
                [line.text for line in circle.lines if line.speaker != mind.who],
            ),
        )

    async def urge(self, speaker: Speaker, circle: Circle) -> float:
        await speaker.mind.context.caller.embed([circle.lines[-1].text])
        return circle.urge(speaker)

    async def part(self, speaker: Speaker, circle: Circle, talk: Conversation, cause: str) -> None:
        if not speaker.mind.me.is_visitor:
            speaker.opening = speaker.opening or await _prepare_opening(speaker, circle)
        end_participation(speaker, circle, talk, cause)


def make_conversation(circle: Circle, ended_by: str) -> Conversation:
    """Return the record of a conversation, without its summary."""
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
    """Return the duration of a conversation in game minutes: the time to speak each line, and
    pauses.
    """
    chat = mind.settings.chat
    characters = sum(len(line.text) for line in lines)
    minutes = (
        len(lines) * chat.seconds_per_line / 60
        + characters / chat.characters_per_minute[mind.world.lang]
    )
    return min(max(1, math.ceil(minutes)), chat.max_minutes)


# speaking ----------------------------------------------------------------------------------


async def _think_of_the_others(speaker: Speaker, circle: Circle) -> None:
    """Recall the speaker's last conversation with the first of the others. Unless relations are
    updated only afterwards (`thrift.relations_afterwards`), also ask the model for the relation to
    each.
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
    """Add lines until the conversation ends; return why: "word" if the speakers have ended it,
    "repetition" if a line, which is left out, repeats an earlier one, "silence" if a visitor says
    nothing more, or "rounds" at the maximum of lines.
    """
    while len(circle.lines) < circle.max_lines:
        speaker = await _next_speaker(circle, speaking)
        said = await speaking.utter(speaker, circle)
        if said is None:
            return "silence"
        line, ends, again = said
        if again:
            return "repetition"
        circle.lines.append(line)
        if ends:
            circle.end(speaker)
        if not circle.is_going_on:
            return "word"
    return "rounds"


async def _next_speaker(circle: Circle, speaking: Speaking) -> Speaker:
    """Return the speaker whose turn it is, comparing the urges of several candidates."""
    first, *others = circle.next_speakers()
    if not others:
        return first
    urges = await run_concurrently(speaking.urge(one, circle) for one in (first, *others))
    return min(zip(urges, (first, *others), strict=True), key=lambda each: (-each[0], each[1].who))[
        1
    ]


async def _prepare_utterance(speaker: Speaker, circle: Circle) -> UtteranceVars:
    """Return the variables of a speaker's next prompt.

    The first prompt recalls memories of the others and the topic, later ones only those for the
    last line and the residents whom it names.
    """
    mind, last = speaker.mind, len(circle.lines) - 1
    if speaker.opening is None:
        speaker.opening = await _prepare_opening(speaker, circle)
    elif last not in speaker.recalled:
        others, line = [one.who for one in circle.met_by(speaker)], circle.lines[-1].text
        named = [who for who in find_named(mind.world, [line]) if who not in (mind.who, *others)]
        count = MAX_RECALLED_PER_LINE + bool(named)
        found = await recall_for_line(mind, others, named, line, speaker.found, count)
        speaker.found += found
        speaker.recalled[last] = concepts(found)
    return replace(speaker.opening, lines=circle.dialogue(speaker), closing=circle.closing(speaker))


async def _prepare_opening(speaker: Speaker, circle: Circle) -> UtteranceVars:
    """Return the variables of a speaker's first prompt.

    Memories are recalled for the last conversation with the others or else the first of them, for
    the topic, the meeting and the lines heard.
    """
    mind, lines = speaker.mind, circle.lines[speaker.came : circle.end_of(speaker)]
    company = tuple(speaker.companion(one.who) for one in circle.met_by(speaker))
    others = [one.other.id for one in company]
    about = mind.words.say("recall_other", name=mind.me.name, other=company[0].other.name)
    meeting = find_agreed_meeting(mind, others)
    met_for = _describe_meeting(mind, meeting) if meeting else ""
    queries = [speaker.before or about, speaker.topic, met_for, *(line.text for line in lines)]
    speaker.found += await recall_facing(
        mind,
        others,
        [text for text in queries if text],
        MAX_RECALLED_AT_OPENING,
        at_meeting=meeting is not None,
    )
    found = [scored.concept.text for scored in speaker.found]
    said = [speaker.topic, *found, *(line.text for line in lines)]
    places = conversation_places(mind, said, others, MAX_PUBLIC_PLACES)
    return UtteranceVars(
        situation=replace(
            mind.situation,
            earlier=_earlier_lines(mind, others),
            earshot=(within := _list_bystanders(mind, circle)),
            present=_list_present(mind, circle, within),
            walks=tuple(
                (room, walking_minutes(mind, room)) for room, _ in places if room != mind.arena
            ),
        ),
        company=company,
        topic=speaker.topic,
        memories=concepts(speaker.found),
        lines=(),
        closing=circle.closing(speaker),
        plan=upcoming(mind),
        free=free_stretches(mind),
        places=places,
        met_for=met_for,
        dealings=society_in(mind.world).recall_dealings(mind, others),
    )


def _list_bystanders(mind: Mind, circle: Circle) -> tuple[str, ...]:
    """Return the residents who hear a conversation in which they take no part, up to `MAX_EARSHOT`:
    the same for both who have begun it.
    """
    other = next(one.who for one in circle.speakers if one.mind is not mind)
    taking_part = {one.who for one in circle.speakers}
    listeners = (who for who in find_listeners(mind, other) if who not in taking_part)
    return tuple(islice(listeners, MAX_EARSHOT))


def _list_present(mind: Mind, circle: Circle, within: Collection[str]) -> tuple[str, ...]:
    """Return the residents in the room who take no part in a conversation and are not named as
    `within` earshot, up to `MAX_EARSHOT`.
    """
    known = {*within, *(one.who for one in circle.speakers)}
    return tuple(islice((who for who in mind.awake_company if who not in known), MAX_EARSHOT))


def _earlier_lines(mind: Mind, company: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the resident's latest lines to the company, and to all others met within `LATELY`, each
    as (id of its listener, line).
    """
    relations = ((other, mind.state.relation(mind.who, other)) for other, _ in mind.world.names)
    return tuple(
        (other, line)
        for other, relation in relations
        if other in company or (relation.last and mind.now - relation.last <= LATELY)
        for line in earlier_lines(relation)
    )


def _describe_meeting(mind: Mind, meeting: Promise) -> str:
    """Return the subject of the meeting for which the resident has come, with the parts of all."""
    others = [who for who in meeting.people if who != mind.who]
    return mind.words.own_part(mind.who, meeting, others)
