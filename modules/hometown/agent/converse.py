"""Conversations: who may talk to whom, what is said, and what both sides remember."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from hometown.agent.act import free_stretches, may_open, may_speak_to, neighbour, upcoming
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, NewMemory, concepts, together
from hometown.agent.perceive import rate
from hometown.agent.places import meeting_places
from hometown.agent.plan import appointment, shortest_task
from hometown.clock import DAY
from hometown.memory.schedule import Task
from hometown.memory.stream import Scored
from hometown.prompt.noticing import Happening
from hometown.prompt.planning import clock_minutes
from hometown.prompt.talking import (
    CONVERSATION_SUMMARY,
    RELATION,
    UTTERANCE,
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
    DialogueLine,
    RelationVars,
    UtteranceVars,
    repeats,
)
from hometown.world.conversation import Conversation, Line
from hometown.world.effects import Promised, Related, Rescheduled, TalkBegan, TasksSet
from hometown.world.rows import Promise, Promises

RECENT_CONVERSATIONS = 20
"""Latest conversations among which the last one with the same partner is searched for."""

PROMISE_DAYS = 31
"""Days, from today, for which an agreement can be made."""


@dataclass(slots=True)
class Speaker:
    """One side of a conversation: a mind, why it talks ("" for whom was asked), and how it stands with the other.

    `relation` was given by the call `cause`; `before` is what the two last talked about, as the mind remembers it.
    """

    mind: Mind
    other: Mind
    topic: str
    relation: str = ""
    cause: str = ""
    before: str = ""


def may_meet(asker: Mind, asked: Mind) -> bool:
    """Whether the two can talk now: awake, in sight of the arena, free, and not on the way to something urgent."""
    return (
        asker.arena == asked.arena
        and asker.state.talking(asker.who) is None
        and may_speak_to(asker, asked.who)
        and may_open(asked)
        and asked.state.schedule(asked.who).at(asked.minute).kind != "sleep"
    )


async def hold_conversation(opener: Mind, partner: Mind, intent: Intent) -> Conversation:
    """Holds a conversation to its end; its memories, relations and promises go into both minds."""
    opener.speaking = partner.speaking = True
    speakers = (Speaker(opener, partner, intent.topic), Speaker(partner, opener, ""))
    await together(_sum_up_relation(speaker) for speaker in speakers)
    lines, ended_by = await _speak(speakers)
    summary, cause, asked = await _sum_up(opener, partner, lines)
    talk = Conversation(
        id=f"{opener.moment.step}-{opener.who}",
        step=opener.moment.step,
        opener=opener.who,
        partner=partner.who,
        address=opener.arena,
        started=opener.now,
        minutes=duration(opener, lines),
        lines=tuple(lines),
        summary=summary.summary,
        ended_by=ended_by,
    )
    opener.do(TalkBegan(talk, talk.started + timedelta(minutes=talk.minutes)), intent.cause)
    learnt = [(asked.people[news.who - 1][0], news.what) for news in summary.learnt]
    agreed = [promise for commitment in summary.commitments if (promise := as_promise(commitment, asked, talk))]
    await together(_keep(speaker, talk, learnt, agreed, cause) for speaker in speakers)
    return talk


# speaking ----------------------------------------------------------------------------------


async def _sum_up_relation(speaker: Speaker) -> None:
    """How the speaker stands with the other, from its own memories."""
    mind, other = speaker.mind, speaker.other
    found = await mind.recall([mind.words.say("recall_other", name=mind.me.name, other=other.me.name)])
    before = mind.state.relation(mind.who, other.who).summary
    variables = RelationVars(mind.situation, neighbour(mind, other.who), concepts(found), before)
    reply, speaker.cause = await mind.ask(RELATION, variables, found)
    speaker.relation = reply.summary
    talks = mind.state.memory(mind.who).recent(("chat",), RECENT_CONVERSATIONS)
    speaker.before = next((talk.text for talk in talks if talk.object == other.who), "")


async def _speak(speakers: tuple[Speaker, Speaker]) -> tuple[list[Line], str]:
    """Lines in turn, until a speaker ends it, somebody repeats itself, or the rounds are over."""
    lines: list[Line] = []
    rounds = speakers[0].mind.settings.chat_iter
    for turn in range(2 * rounds):
        line, ends = await _utter(speakers[turn % 2], lines, turn // 2, rounds)
        if repeats(line.text, [earlier.text for earlier in lines]):
            return lines, "repetition"
        lines.append(line)
        if ends:
            return lines, "word"
    return lines, "rounds"


async def _utter(speaker: Speaker, lines: list[Line], number: int, rounds: int) -> tuple[Line, bool]:
    mind, other = speaker.mind, speaker.other
    found = await _recall_for(speaker, lines)
    variables = UtteranceVars(
        situation=mind.situation,
        other=neighbour(mind, other.who),
        relation=speaker.relation,
        topic=speaker.topic,
        memories=concepts(found),
        lines=_dialogue(mind, lines),
        round=number,
        last_round=number == rounds - 1,
        plan=upcoming(mind),
        free=free_stretches(mind),
        places=meeting_places(mind, _told(speaker, found, lines)),
    )
    reply, call = await mind.ask(UTTERANCE, variables, found)
    return Line(mind.who, reply.say, call), reply.end


async def _recall_for(speaker: Speaker, lines: list[Line]) -> list[Scored]:
    """What comes to mind about the last conversation with the other, or else the other, about the topic, and about what was said last."""
    mind = speaker.mind
    other = speaker.before or mind.words.say("recall_other", name=mind.me.name, other=speaker.other.me.name)
    return await mind.recall([text for text in (other, speaker.topic, lines[-1].text if lines else "") if text])


def _told(speaker: Speaker, found: list[Scored], lines: list[Line]) -> list[str]:
    """The variables of the next line: the topic, what is retrieved for it, and the lines so far."""
    return [speaker.topic, *(scored.concept.text for scored in found), *(line.text for line in lines)]


def _dialogue(mind: Mind, lines: Iterable[Line]) -> tuple[DialogueLine, ...]:
    return tuple(DialogueLine(line.speaker, mind.words.name(line.speaker), line.text) for line in lines)


def duration(mind: Mind, lines: list[Line]) -> int:
    """Duration of a conversation in game minutes: for each line a pause, and the time to speak it."""
    chat = mind.settings.chat
    characters = sum(len(line.text) for line in lines)
    minutes = len(lines) * chat.seconds_per_line / 60 + characters / chat.characters_per_minute[mind.world.lang]
    return min(max(1, math.ceil(minutes)), chat.max_minutes)


# afterwards --------------------------------------------------------------------------------


async def _sum_up(opener: Mind, partner: Mind, lines: list[Line]) -> tuple[ConversationSummaryReply, str, ConversationSummaryVars]:
    """One summary for both: it is asked for with nothing but what both have heard."""
    variables = ConversationSummaryVars(
        situation=opener.situation,
        other=partner.who,
        people=tuple((mind.who, mind.me.name) for mind in (opener, partner)),
        pronouns=tuple(mind.me.pronouns for mind in (opener, partner)),
        place=opener.world.place_name(opener.arena),
        days=tuple(opener.now.date() + timedelta(days=ahead) for ahead in range(PROMISE_DAYS)),
        lines=_dialogue(opener, lines),
        places=meeting_places(opener, [line.text for line in lines]),
        together=tuple(opener.words.say("together").split("|")) if opener.situation.plain else (),
    )
    return await opener.ask_by_number(CONVERSATION_SUMMARY, variables)


async def _keep(speaker: Speaker, talk: Conversation, learnt: Iterable[tuple[str, str]], agreed: Iterable[Promise], cause: str) -> None:
    """The talk, what was learnt in it, as (who, what), and what was agreed, in one of the two minds."""
    mind, other = speaker.mind, speaker.other
    before = mind.state.relation(mind.who, other.who)
    mind.do(Related(mind.who, other.who, replace(before, talks=before.talks + 1, last=mind.now, summary=speaker.relation)), speaker.cause)
    heard = list(dict.fromkeys(what for who, what in learnt if who == mind.who))
    promises = [promise for promise in agreed if _promise(speaker, promise, cause)]
    agreements = [mind.words.agreement(mind.who, promise) for promise in promises]
    about = (other.who,)
    happenings = [Happening(talk.summary, "chat", about), *(Happening(what, "event", about) for what in heard)]
    ratings, _ = await rate(mind, [*happenings, *(Happening(text, "plan", about) for text in agreements)])
    chat = NewMemory("chat", talk.summary, mind.who, "talk", other.who, talk.address, talk=talk.id, about=about)
    kept = await mind.remember([chat], ratings[:1], cause)
    news = [NewMemory("event", what, mind.who, "hear", other.who, talk.address, (kept[0].id,), talk.id, about) for what in heard]
    plans = [
        NewMemory("plan", text, mind.who, "agree", other.who, promise.address, talk=talk.id, about=about)
        for text, promise in zip(agreements, promises, strict=True)
    ]
    await mind.remember([*news, *plans], ratings[1:], cause)
    _fit_in(speaker, talk)


def _fit_in(speaker: Speaker, talk: Conversation) -> None:
    """Makes room for the conversation among the tasks of the hour."""
    mind = speaker.mind
    tasks = mind.state.tasks(mind.who)
    end = min(mind.minute + talk.minutes, DAY)
    task = Task(mind.minute, end, mind.words.say("talking_with", other=speaker.other.me.name), "done")
    if tasks.due(mind.minute) is not None:
        mind.do(TasksSet(mind.who, tasks.splice(task, shortest_task(mind))), "rule:talk")


def _promise(speaker: Speaker, promise: Promise, cause: str) -> bool:
    """Enters an agreement into promises and, if it is for today, the schedule; False if it cannot be kept."""
    mind = speaker.mind
    if _clashes(mind, promise):
        return False
    items = sorted((*mind.state.promises(mind.who).items, promise), key=lambda item: item.start)
    mind.do(Promised(mind.who, Promises(tuple(items))), cause)
    if promise.start.date() == mind.now.date():
        schedule = mind.state.schedule(mind.who).splice(appointment(promise))
        mind.do(Rescheduled(mind.who, schedule, f"talk:{promise.talk}"), cause)
    return True


def as_promise(commitment: Commitment, asked: ConversationSummaryVars, talk: Conversation) -> Promise | None:
    """A commitment as the town can keep it; None if it lies in the past."""
    start = datetime.combine(commitment.day, time()) + timedelta(minutes=clock_minutes(commitment.start))
    if start < talk.started + timedelta(minutes=talk.minutes):
        return None
    address = asked.places[commitment.where - 1][0] if commitment.where else ""
    return Promise(commitment.what, (talk.opener, talk.partner), address, start, commitment.minutes, talk.id)


def _clashes(mind: Mind, promise: Promise) -> bool:
    """Whether an earlier agreement, or sleep, stands where this one would."""
    end = promise.start + timedelta(minutes=promise.minutes)
    for kept in mind.state.promises(mind.who).items:
        if promise.start < kept.start + timedelta(minutes=kept.minutes) and kept.start < end:
            return True
    if promise.start.date() != mind.now.date():
        return False
    entry = appointment(promise)
    return any(other.kind == "sleep" and entry.start < other.end and other.start < entry.end for other in mind.state.schedule(mind.who).entries)
