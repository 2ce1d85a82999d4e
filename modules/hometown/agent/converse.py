"""Conversations: who may talk to whom, what is said, and what both sides remember."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta

from hometown.agent.act import free_stretches, may_open, may_speak_to, neighbour, upcoming
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, NewMemory, concepts, together
from hometown.agent.perceive import rate
from hometown.agent.places import meeting_places
from hometown.agent.plan import DAY_PLAN, appointment, shortest_task
from hometown.clock import DAY
from hometown.memory.concept import Concept
from hometown.memory.schedule import PlacedTask
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

RECALLED, RECALLED_A_LINE = 5, 1
"""Memories that come to mind at the beginning of a conversation, and for each line of the other's, at most."""

AGREED = 4
"""The least poignancy of an agreement; the conversation that led to it may weigh more."""


@dataclass(slots=True)
class Speaker:
    """One side of a conversation: a mind, why it talks ("" for whom was asked), and how it stands with the other.

    `before` is what the two last talked about, as the mind remembers it. `opening` is what it had in mind when it first spoke; `recalled` are the
    memories that have come to mind since, by the number of the line that brought them, and `found` all of them with their scores.
    """

    mind: Mind
    other: Mind
    topic: str
    relation: str = ""
    before: str = ""
    opening: UtteranceVars | None = None
    recalled: dict[int, tuple[Concept, ...]] = field(default_factory=dict)
    found: list[Scored] = field(default_factory=list)


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
    opener.company, partner.company = partner.who, opener.who
    speakers = (Speaker(opener, partner, intent.topic), Speaker(partner, opener, ""))
    await together(_think_of_the_other(speaker) for speaker in speakers)
    lines, ended_by = await _speak(speakers)
    sums = await together(_sum_up(speaker, speakers, lines) for speaker in speakers)
    summary, _, asked = sums[0]
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
    agreed = [promise for commitment in summary.commitments if (promise := as_promise(commitment, asked, talk))]
    await together(_keep(speaker, talk, reply, agreed, cause) for speaker, (reply, cause, _) in zip(speakers, sums, strict=True))
    return talk


# speaking ----------------------------------------------------------------------------------


async def _think_of_the_other(speaker: Speaker) -> None:
    """How the speaker stands with the other and what they last talked about, from its own memories."""
    mind, other = speaker.mind, speaker.other
    speaker.relation = mind.state.relation(mind.who, other.who).summary
    if not mind.settings.thrift.relations_afterwards:
        found = await mind.recall([mind.words.say("recall_other", name=mind.me.name, other=other.me.name)])
        reply, _ = await mind.ask(RELATION, RelationVars(mind.situation, neighbour(mind, other.who), concepts(found), speaker.relation), found)
        speaker.relation = reply.summary
    talks = mind.state.memory(mind.who).recent(("chat",), RECENT_CONVERSATIONS)
    speaker.before = next((talk.text for talk in talks if talk.object == other.who), "")


async def _speak(speakers: tuple[Speaker, Speaker]) -> tuple[list[Line], str]:
    """Lines in turn, until a speaker ends it, somebody repeats itself, or the rounds are over."""
    lines: list[Line] = []
    for turn in range(2 * speakers[0].mind.settings.chat_iter):
        line, ends = await _utter(speakers[turn % 2], lines)
        if repeats(line.text, [earlier.text for earlier in lines]):
            return lines, "repetition"
        lines.append(line)
        if ends:
            return lines, "word"
    return lines, "rounds"


async def _utter(speaker: Speaker, lines: list[Line]) -> tuple[Line, bool]:
    mind = speaker.mind
    reply, call = await mind.ask(UTTERANCE, await _heard(speaker, lines), speaker.found)
    return Line(mind.who, reply.say, call), reply.end


async def _heard(speaker: Speaker, lines: list[Line]) -> UtteranceVars:
    """What the speaker has in mind after these lines: at first all about the other, later only what the last line adds."""
    if speaker.opening is None:
        speaker.opening = await _open(speaker, lines)
    elif lines and len(lines) - 1 not in speaker.recalled:
        known = {scored.concept.id for scored in speaker.found}
        found = [scored for scored in await _recall(speaker, [lines[-1].text], RECALLED_A_LINE) if scored.concept.id not in known]
        speaker.found += found
        speaker.recalled[len(lines) - 1] = concepts(found)
    return replace(speaker.opening, lines=_dialogue(speaker, lines))


async def _open(speaker: Speaker, lines: list[Line]) -> UtteranceVars:
    """What comes to mind about the last conversation with the other, or else the other, about the topic, and about what was said."""
    mind, other = speaker.mind, speaker.other
    queries = [speaker.before or mind.words.say("recall_other", name=mind.me.name, other=other.me.name), speaker.topic, *(line.text for line in lines)]
    speaker.found += await _recall(speaker, [text for text in queries if text], RECALLED)
    return UtteranceVars(
        situation=mind.situation,
        other=neighbour(mind, other.who),
        relation=speaker.relation,
        topic=speaker.topic,
        memories=concepts(speaker.found),
        lines=(),
        rounds=mind.settings.chat_iter,
        plan=upcoming(mind),
        free=free_stretches(mind),
        places=meeting_places(mind, [speaker.topic, *(scored.concept.text for scored in speaker.found), *(line.text for line in lines)]),
    )


async def _recall(speaker: Speaker, queries: list[str], count: int) -> list[Scored]:
    """What comes to mind, but for plans of days, since the prompt says what is left of today's, and talks with others, whose news is a memory of its own."""
    found = await speaker.mind.recall(queries, count=min(2 * count, speaker.mind.settings.associate.retrieve_max))
    fitting = (scored for scored in found if scored.concept.predicate != DAY_PLAN)
    return [scored for scored in fitting if scored.concept.type != "chat" or speaker.other.who in scored.concept.about][:count]


def _dialogue(speaker: Speaker, lines: Iterable[Line]) -> tuple[DialogueLine, ...]:
    words, recalled = speaker.mind.words, speaker.recalled
    return tuple(DialogueLine(line.speaker, words.name(line.speaker), line.text, recalled.get(number, ())) for number, line in enumerate(lines))


def duration(mind: Mind, lines: list[Line]) -> int:
    """Duration of a conversation in game minutes: for each line a pause, and the time to speak it."""
    chat = mind.settings.chat
    characters = sum(len(line.text) for line in lines)
    minutes = len(lines) * chat.seconds_per_line / 60 + characters / chat.characters_per_minute[mind.world.lang]
    return min(max(1, math.ceil(minutes)), chat.max_minutes)


# afterwards --------------------------------------------------------------------------------


Summed = tuple[ConversationSummaryReply, str, ConversationSummaryVars]
"""What a conversation leaves with one side, the call that gave it, and with what it was asked."""


async def _sum_up(speaker: Speaker, speakers: tuple[Speaker, Speaker], lines: list[Line]) -> Summed:
    """What the conversation leaves with one side; who began it sums it up for both."""
    mind, opens = speaker.mind, speaker is speakers[0]
    heard = speaker.opening or await _open(speaker, lines)
    both = [side.mind for side in speakers]
    variables = ConversationSummaryVars.after(
        replace(heard, lines=_dialogue(speaker, lines)),
        people=tuple((each.who, each.me.name) for each in both),
        pronouns=tuple(each.me.pronouns for each in both),
        place=mind.world.place_name(mind.arena),
        days=tuple(mind.now.date() + timedelta(days=ahead) for ahead in range(PROMISE_DAYS)),
        sites=tuple(site for site in meeting_places(mind, [line.text for line in lines]) if site not in heard.places) if opens else (),
        together=tuple(mind.words.say("together").split("|")) if opens and mind.situation.plain else (),
        sums_up=opens,
    )
    return await mind.ask_by_number(CONVERSATION_SUMMARY, variables, speaker.found)


async def _keep(speaker: Speaker, talk: Conversation, reply: ConversationSummaryReply, agreed: Iterable[Promise], cause: str) -> None:
    """The talk, what was learnt in it, how the two stand, and what was agreed, in one of the two minds."""
    mind, other = speaker.mind, speaker.other
    before = mind.state.relation(mind.who, other.who)
    standing = replace(before, talks=before.talks + 1, last=mind.now, summary=reply.relation)
    mind.do(Related(mind.who, other.who, standing), cause)
    promises = [promise for promise in agreed if _promise(speaker, promise, cause)]
    agreements = [mind.words.agreement(mind.who, promise) for promise in promises]
    about = (other.who,)
    ratings = await _weights(mind, talk.summary, reply, agreements, about)
    chat = NewMemory("chat", talk.summary, mind.who, "talk", other.who, talk.address, talk=talk.id, about=about)
    kept = await mind.remember([chat], ratings[:1], cause)
    news = [NewMemory("event", each.what, mind.who, "hear", other.who, talk.address, (kept[0].id,), talk.id, about) for each in reply.learnt]
    plans = [
        NewMemory("plan", text, mind.who, "agree", other.who, promise.address, talk=talk.id, about=about)
        for text, promise in zip(agreements, promises, strict=True)
    ]
    await mind.remember([*news, *plans], ratings[1:], cause)
    _fit_in(speaker, talk)


async def _weights(mind: Mind, summary: str, reply: ConversationSummaryReply, agreements: list[str], about: tuple[str, ...]) -> list[int]:
    """Poignancy of the conversation, of each piece of news and of each agreement: as the reply rates them, or in a call of its own."""
    if mind.settings.thrift.rated_at_once:
        return [reply.weight, *(each.weight for each in reply.learnt), *(max(reply.weight, AGREED) for _ in agreements)]
    happenings = [Happening(summary, "chat", about), *(Happening(each.what, "event", about) for each in reply.learnt)]
    ratings, _ = await rate(mind, [*happenings, *(Happening(text, "plan", about) for text in agreements)])
    return ratings


def _fit_in(speaker: Speaker, talk: Conversation) -> None:
    """Makes room for the conversation among the tasks of the hour."""
    mind = speaker.mind
    tasks = mind.state.tasks(mind.who)
    end = min(mind.minute + talk.minutes, DAY)
    doing = mind.words.say("talking_with", other=speaker.other.me.name)
    task = PlacedTask(mind.minute, end, doing, "done", address=talk.address, emoji="💬")
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
    address = asked.numbered[commitment.where - 1][0] if commitment.where else ""
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
