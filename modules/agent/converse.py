"""Conversations: who may talk to whom, what is said, and what remains of it on both sides."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta

from modules.agent.act import free_stretches, may_open, may_talk, neighbour, upcoming
from modules.agent.intent import Intent
from modules.agent.perceive import rate
from modules.agent.places import meeting_places
from modules.agent.plan import appointment, shortest_task
from modules.agent.thinking import NewMemory, Thinking, concepts, together
from modules.clock import DAY
from modules.memory.associate import Scored
from modules.memory.schedule import Task
from modules.prompt.noticing import Happening
from modules.prompt.planning import clock_minutes
from modules.prompt.talking import (
    RELATION,
    TALK_SUMMARY,
    UTTERANCE,
    Commitment,
    RelationVars,
    Said,
    TalkSummaryReply,
    TalkSummaryVars,
    UtteranceVars,
)
from modules.text import overlap
from modules.world.effects import Promised, Related, Rescheduled, TalkBegan, TasksSet
from modules.world.rows import Promise, Promises
from modules.world.talk import Line, Talk

REPEATED = 0.8
"""Overlap of character trigrams (Jaccard) from which a line counts as said before."""

RECENT_TALKS = 20
"""Latest talks among which the last one with the same partner is looked for."""

PROMISE_DAYS = 30
"""Agreements further ahead than this are talk, not plans."""


@dataclass(slots=True)
class Speaker:
    """One side of a conversation: a mind, why it talks ("" for whom was asked), and how it stands with the other.

    `relation` was given by the call `cause`; `before` is what the two last talked about, as the mind remembers it.
    """

    mind: Thinking
    other: Thinking
    topic: str
    relation: str = ""
    cause: str = ""
    before: str = ""


def may_meet(asker: Thinking, asked: Thinking) -> bool:
    """Whether the two can talk now: awake, in sight of the arena, free, and not on the way to something urgent."""
    return (
        asker.arena == asked.arena
        and asker.state.talking(asker.who) is None
        and may_talk(asker, asked.who)
        and may_open(asked)
        and asked.state.schedule(asked.who).at(asked.minute).kind != "sleep"
    )


async def converse(opener: Thinking, partner: Thinking, intent: Intent) -> Talk:
    """Holds a conversation to its end, and leaves its memories, relations and promises in both minds."""
    speakers = (Speaker(opener, partner, intent.topic), Speaker(partner, opener, ""))
    await together(_sum_up_relation(speaker) for speaker in speakers)
    lines, ended_by = await _speak(speakers)
    summary, cause = await _sum_up(opener, partner, lines)
    talk = Talk(
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
    await together(_keep(speaker, talk, summary, cause) for speaker in speakers)
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
    talks = mind.state.memory(mind.who).recent(("chat",), RECENT_TALKS)
    speaker.before = next((talk.text for talk in talks if talk.object == other.who), "")


async def _speak(speakers: tuple[Speaker, Speaker]) -> tuple[list[Line], str]:
    """Lines in turn, until a speaker ends it, somebody repeats itself, or the rounds are over."""
    lines: list[Line] = []
    rounds = speakers[0].mind.settings.chat_iter
    for turn in range(2 * rounds):
        line, ends = await _utter(speakers[turn % 2], lines, turn // 2, rounds)
        if any(overlap(line.text, earlier.text) >= REPEATED for earlier in lines):
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
        lines=_said(mind, lines),
        round=number,
        last_round=number == rounds - 1,
        plan=upcoming(mind),
        free=free_stretches(mind),
        places=meeting_places(mind, _told(speaker, found, lines)),
    )
    reply, call = await mind.ask(UTTERANCE, variables, found)
    return Line(mind.who, reply.say, call), reply.end


async def _recall_for(speaker: Speaker, lines: list[Line]) -> list[Scored]:
    """What comes to mind about the last talk with the other, or else the other, about the topic, and about what was said last."""
    mind = speaker.mind
    other = speaker.before or mind.words.say("recall_other", name=mind.me.name, other=speaker.other.me.name)
    return await mind.recall([text for text in (other, speaker.topic, lines[-1].text if lines else "") if text])


def _told(speaker: Speaker, found: list[Scored], lines: list[Line]) -> list[str]:
    """All that the next line may take up: why they talk, what comes to mind, what has been said."""
    return [speaker.topic, *(scored.concept.text for scored in found), *(line.text for line in lines)]


def _said(mind: Thinking, lines: Iterable[Line]) -> tuple[Said, ...]:
    return tuple(Said(line.speaker, mind.words.name(line.speaker), line.text) for line in lines)


def duration(mind: Thinking, lines: list[Line]) -> int:
    """Game minutes that a talk takes: for each line a breath, and the time to say it."""
    chat = mind.settings.chat
    characters = sum(len(line.text) for line in lines)
    minutes = len(lines) * chat.seconds_per_line / 60 + characters / chat.characters_per_minute[mind.world.lang]
    return min(max(1, math.ceil(minutes)), chat.max_minutes)


# what remains ------------------------------------------------------------------------------


async def _sum_up(opener: Thinking, partner: Thinking, lines: list[Line]) -> tuple[TalkSummaryReply, str]:
    """One summary for both: it is asked for with nothing but what both have heard."""
    variables = TalkSummaryVars(
        situation=opener.situation,
        other=partner.who,
        people=tuple((mind.who, mind.me.name) for mind in (opener, partner)),
        pronouns=tuple(mind.me.pronouns for mind in (opener, partner)),
        place=opener.world.place_name(opener.arena),
        day=opener.now.date(),
        lines=_said(opener, lines),
        places=meeting_places(opener, [line.text for line in lines]),
    )
    return await opener.ask(TALK_SUMMARY, variables)


async def _keep(speaker: Speaker, talk: Talk, summary: TalkSummaryReply, cause: str) -> None:
    """The talk, what was learnt in it and what was agreed, in one of the two minds."""
    mind, other = speaker.mind, speaker.other
    before = mind.state.relation(mind.who, other.who)
    mind.do(Related(mind.who, other.who, replace(before, talks=before.talks + 1, last=mind.now, summary=speaker.relation)), speaker.cause)
    heard = list(dict.fromkeys(learnt.what for learnt in summary.learnt if learnt.who == mind.who))
    promises = [promise for commitment in summary.commitments if (promise := _promise(speaker, commitment, talk, cause))]
    agreed = [mind.words.agreement(mind.who, promise) for promise in promises]
    about = (other.who,)
    happenings = [Happening(summary.summary, "chat", about), *(Happening(what, "event", about) for what in heard)]
    ratings, _ = await rate(mind, [*happenings, *(Happening(text, "plan", about) for text in agreed)])
    chat = NewMemory("chat", summary.summary, mind.who, "talk", other.who, talk.address, talk=talk.id, about=about)
    kept = await mind.remember([chat], ratings[:1], cause)
    news = [NewMemory("event", what, mind.who, "hear", other.who, talk.address, (kept[0].id,), talk.id, about) for what in heard]
    plans = [
        NewMemory("plan", text, mind.who, "agree", other.who, promise.address, talk=talk.id, about=about)
        for text, promise in zip(agreed, promises, strict=True)
    ]
    await mind.remember([*news, *plans], ratings[1:], cause)
    _fit_in(speaker, talk)


def _fit_in(speaker: Speaker, talk: Talk) -> None:
    """The tasks of the hour give way to the talk."""
    mind = speaker.mind
    tasks = mind.state.tasks(mind.who)
    end = min(mind.minute + talk.minutes, DAY)
    task = Task(mind.minute, end, mind.words.say("talking_with", other=speaker.other.me.name), "done")
    if tasks.due(mind.minute) is not None:
        mind.do(TasksSet(mind.who, tasks.splice(task, shortest_task(mind))), "rule:talk")


def _promise(speaker: Speaker, commitment: Commitment, talk: Talk, cause: str) -> Promise | None:
    """Enters an agreement into promises and, if it is for today, the schedule; None if it cannot be kept."""
    mind = speaker.mind
    promise = as_promise(commitment, talk, mind)
    if promise is None or mind.who not in commitment.who or _clashes(mind, promise):
        return None
    items = sorted((*mind.state.promises(mind.who).items, promise), key=lambda one: one.start)
    mind.do(Promised(mind.who, Promises(tuple(items))), cause)
    if promise.start.date() == mind.now.date():
        schedule = mind.state.schedule(mind.who).splice(appointment(promise))
        mind.do(Rescheduled(mind.who, schedule, f"talk:{talk.id}"), cause)
    return promise


def as_promise(commitment: Commitment, talk: Talk, mind: Thinking) -> Promise | None:
    """A commitment as the town can keep it; None if it lies in the past or too far ahead."""
    start = datetime.combine(commitment.day, time()) + timedelta(minutes=clock_minutes(commitment.start))
    ahead = start - (talk.started + timedelta(minutes=talk.minutes))
    if not timedelta() <= ahead <= timedelta(days=PROMISE_DAYS):
        return None
    address = commitment.where if commitment.where in mind.world.arenas else ""
    return Promise(commitment.what, (talk.opener, talk.partner), address, start, commitment.minutes, talk.id)


def _clashes(mind: Thinking, promise: Promise) -> bool:
    """Whether an earlier agreement, or sleep, stands where this one would."""
    end = promise.start + timedelta(minutes=promise.minutes)
    for kept in mind.state.promises(mind.who).items:
        if promise.start < kept.start + timedelta(minutes=kept.minutes) and kept.start < end:
            return True
    if promise.start.date() != mind.now.date():
        return False
    entry = appointment(promise)
    return any(other.kind == "sleep" and entry.start < other.end and other.start < entry.end for other in mind.state.schedule(mind.who).entries)
