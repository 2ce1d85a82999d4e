"""Reconsidering the rest of the day: after an inner voice, and for the resident's own reasons.

A conversation that matters, a quarrel, a line overheard that concerns the resident, an intention, a
weighty insight, a note, being let down, and an activity that the day has no time for any more are
such reasons. All that arise by the next step are considered at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta

from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.meant import is_refraining
from hometown.agent.mind.open_intentions import (
    find_open_intentions,
    is_intention,
    list_open_intentions,
)
from hometown.agent.mind.wishes import find_wish, record_wish, say_about_wish
from hometown.agent.planning.changed_occasions import (
    MeantOccasion,
    change_occasion,
    find_closed_occasion,
    find_hostless_occasion,
    find_meant_occasion,
    list_occasion_changes,
)
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.displacing import reschedule
from hometown.agent.planning.entry_origins import REASON_ORIGIN, VOICE_ORIGIN, free_until
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.participation import to_promise
from hometown.agent.planning.place_choice import conversation_places
from hometown.agent.planning.plan_settling import settle_memories
from hometown.agent.planning.planned_intentions import (
    find_due_today,
    is_planned,
    list_rest_of_day,
)
from hometown.agent.planning.resolutions import enter_resolution
from hometown.agent.planning.rest_of_day import list_unsummed
from hometown.clock import DAY
from hometown.memory.concept import OVERHEARD_PREDICATE, PLAN_PREDICATE, Concept
from hometown.memory.schedule import Entry, Schedule
from hometown.memory.scoring import Scored
from hometown.prompt.plans import clock_minutes
from hometown.prompt.second_thoughts import RECONSIDER, ReconsiderReply, ReconsiderVars
from hometown.text import catalogue, overlap
from hometown.world.effects import Reconsidered
from hometown.world.outside import visible_part
from hometown.world.rows import Resolution

WEIGHTY_CONVERSATION_MIN, WEIGHTY_NEWS_MIN, WEIGHTY_INTENTION_MIN, WEIGHTY_INSIGHT_MIN = 6, 7, 5, 9
"""Poignancy from which a conversation, news, an intention and an insight are reasons to reconsider
the day.
"""

PRESSING_REASON_MIN = 8
"""Poignancy from which a reason is considered at once; any other waits until the next entry of the
plan is due.
"""

QUARREL_TONE = -2
"""Change of closeness by a conversation, from −2 to 1, that says that it was a quarrel."""

LAST_HOUR = 60
"""Minutes before sleep at which what is left of the intentions for today comes to mind."""

LEAST_WAKING_MINUTES = 30
"""Minutes before sleep from which on the day is not reconsidered any more."""

DECLINE_PREDICATE = "decline"
"""The predicate of the memory of deciding against a wish."""

MAX_RECALLED = 6
"""Maximum number of memories recalled for reasons of the resident's own."""


async def reconsider(mind: Mind) -> None:
    """Ask whether new inner voices and reasons change the rest of the day, and reschedule it if so.
    Intentions among the reasons wait for another question than that about a voice. Reasons wait
    for the next entry unless one presses or an intention is due now; they are dropped unasked if
    the resident soon goes to sleep, and wait for the summary of a conversation. An intention that the
    plan carries out is no reason, nor is hearsay.
    """
    voices = _live(mind, mind.state.voices(mind.who))
    reasons = tuple(
        memory
        for memory in _live(mind, mind.state.reasons(mind.who))
        if not (_is_hearsay(memory) or (is_intention(memory) and is_planned(mind, memory)))
    )
    if not voices and (list_unsummed(mind) or not _is_time_for(mind, reasons)):
        return
    left: Sequence[Concept] = ()
    if voices or (reasons and _has_time_left(mind)):
        later = [memory for memory in reasons if voices and is_intention(memory)]
        asked = tuple(memory for memory in reasons if memory not in later)
        left = [*await _ask(mind, voices, asked), *later]
    if mind.state.voices(mind.who) or mind.state.reasons(mind.who):
        mind.do(Reconsidered(mind.who), "rule:voice" if voices else "rule:reason")
    for memory in left:
        give_reason(mind, memory, "rule:reason")


def _live(mind: Mind, ids: Iterable[int]) -> tuple[Concept, ...]:
    """Return the resident's memories with these ids, in this order; those that are retired or over
    by now are left out.
    """
    memory = mind.state.memory(mind.who)
    live = (memory.concept(number) for number in ids if number in memory)
    return tuple(mind.leave_out_settled(live))


def raise_due_intentions(mind: Mind) -> None:
    """Make reasons to reconsider the day of the open intentions for the present hour, when it
    begins: also for sleepers and those in a conversation, who are asked afterwards. Those that
    concern other residents are reasons to approach them instead. Before the night, all that are
    left of today's are reasons.
    """
    asked, is_late = mind.state.reasons(mind.who), _begins_last_hour(mind)
    for memory in list_open_intentions(mind):
        due = find_due_today(mind, memory)
        if due is None or memory.id in asked:
            continue
        begins = due.is_timed and 0 <= mind.minute - due.start < mind.moment.stride
        is_own = begins and not find_concerned(mind, memory.text)
        if is_own or (is_late and not is_refraining(memory.text, mind.world.lang)):
            give_reason(mind, memory, "rule:due")


def _begins_last_hour(mind: Mind) -> bool:
    """Return True in the step in which the last waking hour of the date begins."""
    asleep = mind.state.schedule(mind.who).next_of("sleep", mind.minute)
    left = (asleep.start if asleep else DAY) - mind.minute
    return LAST_HOUR - mind.moment.stride < left <= LAST_HOUR


def _is_time_for(mind: Mind, reasons: tuple[Concept, ...]) -> bool:
    """Return True if a reason cannot wait, the hour of an intention has come, the next entry of the
    plan is due to begin, or the present one is free time.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    is_between = mind.state.tasks(mind.who).entry < entry.start
    is_idle = entry.activity == mind.words.say("free_time")
    return (
        is_between
        or is_idle
        or any(
            memory.poignancy >= PRESSING_REASON_MIN
            or (is_intention(memory) and _is_due(mind, memory))
            for memory in reasons
        )
    )


def _is_due(mind: Mind, intention: Concept) -> bool:
    """Return True if the hour of an intention has come, or the last hour of its day."""
    due = find_due_today(mind, intention)
    return due is not None and (
        (due.is_timed and due.start <= mind.minute) or _begins_last_hour(mind)
    )


def _is_hearsay(memory: Concept) -> bool:
    """Return True for a line overheard that is no weighty news: it changes no day."""
    return memory.predicate == OVERHEARD_PREDICATE and memory.poignancy < WEIGHTY_NEWS_MIN


def _has_time_left(mind: Mind) -> bool:
    """Return True unless the resident goes to sleep soon."""
    asleep = mind.state.schedule(mind.who).next_of("sleep", mind.minute)
    bed = asleep.start if asleep else mind.state.mind(mind.who).bed
    return bed - mind.minute >= LEAST_WAKING_MINUTES


async def _ask(
    mind: Mind, voices: tuple[Concept, ...], reasons: tuple[Concept, ...]
) -> Sequence[Concept]:
    """Ask for the changes that voices and reasons call for, and make them: record the answer for
    the wishes, settle the intentions that are over, drop entries, and enter the new activity.

    Returns:
        The voices, and the intentions among the reasons, to which the answer, which has room for
        one activity, has not come yet; none if the plan stays.
    """
    entries = list_rest_of_day(mind)
    meant = (
        find_meant_occasion(mind, voices)
        or find_hostless_occasion(mind, reasons)
        or find_closed_occasion(mind, reasons)
    )
    variables, found = await _compose(mind, voices, reasons, entries, meant)
    reply, cause, asked = await mind.ask_with_variables(RECONSIDER, variables, found)
    changed = await change_occasion(mind, meant.number, asked, reply, cause) if meant else None
    if meant and changed:
        _record_change(mind, meant.reason, changed, cause)
    left = [voice for voice in voices if not (meant and changed and voice == meant.reason)]
    await _record_answer(mind, left, reply, cause)
    behind = _find_reason_behind(mind, voices or reasons, reply.activity)
    origin = f"{VOICE_ORIGIN if voices else REASON_ORIGIN}{behind.id}"
    dropped = [entries[at - 1] for at in reply.drop]
    over = [asked.open_intentions[at - 1] for at in reply.settled]
    if not reply.activity:
        over += _intentions_behind(mind, dropped)
    settle_memories(mind, dict.fromkeys(over), cause)
    schedule = _drop(mind, dropped)
    if reply.activity:
        address = asked.places[reply.where - 1][0] if reply.where else _named_place(mind, voices)
        own = _as_resolution(mind, reply, address, origin)
        schedule = await enter_resolution(mind, own, schedule, cause)
    await reschedule(mind, schedule, origin, reply.activity, cause, dropped)
    return _find_unanswered(mind, (*voices, *reasons), reply.activity) if reply.activity else ()


async def _compose(
    mind: Mind,
    voices: tuple[Concept, ...],
    reasons: tuple[Concept, ...],
    entries: Sequence[Entry],
    meant: MeantOccasion | None,
) -> tuple[ReconsiderVars, Sequence[Scored]]:
    """Return the prompt's variables, and the memories recalled for it."""
    texts = [memory.text for memory in (*voices, *reasons)]
    found = await mind.recall(texts, count=None if voices else MAX_RECALLED)
    about = dict.fromkeys(who for memory in reasons for who in memory.about)
    others = [who for who in about if who in mind.world.personas and who != mind.who]
    open_intentions = _intentions_to_show(mind, voices, reasons, others)
    variables = ReconsiderVars(
        mind.situation,
        tuple(memory.text for memory in voices),
        tuple((entry.start, entry.activity) for entry in entries),
        conversation_places(mind, texts, (*others, *find_named(mind.world, texts))),
        concepts(
            scored
            for scored in found
            if scored.concept not in (*voices, *reasons, *open_intentions)
            and scored.concept.predicate != PLAN_PREDICATE  # the present plan is shown
        ),
        tuple(memory for memory in reasons if not is_intention(memory)),
        _list_droppable(entries),
        open_intentions,
        is_for_today=bool(voices) and _is_dated_for_today(mind, voices[-1]),
        resolved=sum(memory in reasons for memory in open_intentions),
        meant=to_promise(meant.occasion) if meant else None,
        occasion_choices=("keep", *list_occasion_changes(meant.occasion, mind.who))
        if meant
        else (),
    )
    return variables, found


def _find_reason_behind(mind: Mind, raised: Sequence[Concept], activity: str) -> Concept:
    """Return the voice or reason that an activity is for: of the intentions among them to do
    something, the one that it resembles most, else the latest of all.
    """
    lang = mind.world.lang
    meant = [one for one in raised if is_intention(one) and not is_refraining(one.text, lang)]
    alike = max(meant, key=lambda one: overlap(one.text, activity), default=None)
    return alike if alike and activity else raised[-1]


def _find_unanswered(mind: Mind, reasons: Sequence[Concept], activity: str) -> list[Concept]:
    """Return the open intentions among voices and reasons that the rest of the day does not carry out,
    without the one that an activity resembles most.
    """
    open_ones = _live(mind, [memory.id for memory in reasons if is_intention(memory)])
    answered = max(open_ones, key=lambda each: overlap(each.text, activity), default=None)
    return [
        each
        for each in open_ones
        if each != answered
        and not is_planned(mind, each)
        and not is_refraining(each.text, mind.world.lang)
    ]


def _list_droppable(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the numbers, from 1, of the entries that may be dropped: activities."""
    return tuple(number for number, entry in enumerate(entries, 1) if entry.kind == "activity")


def _drop(mind: Mind, dropped: Iterable[Entry]) -> Schedule:
    """Return the resident's schedule of today with free time in place of these entries, from now
    on; those that it no longer contains are ignored.
    """
    schedule = mind.state.schedule(mind.who)
    there = [entry for entry in dropped if entry in schedule.entries]
    coming = [entry for entry in there if entry.start > mind.minute]
    left = schedule.without(*coming, instead=mind.words.say("free_time"))
    for entry in there:
        if entry not in coming:
            left = free_until(mind, left, entry.end)
    return left


def _named_place(mind: Mind, voices: Sequence[Concept]) -> str:
    """Return the place that the wish of the latest inner voice names; "" for none."""
    wish = find_wish(mind, voices[-1].id) if voices else None
    return wish.address if wish else ""


def _is_dated_for_today(mind: Mind, voice: Concept) -> bool:
    """Return True if the words of an inner voice of an earlier day are about today."""
    wish, today = find_wish(mind, voice.id), mind.now.date()
    if wish is None or wish.start is None:
        return False
    return wish.start.date() == today > voice.created.date()


async def _record_answer(
    mind: Mind, voices: Sequence[Concept], reply: ReconsiderReply, cause: str
) -> None:
    """Record the decision about the wishes of inner voices, with the reason: one is planned and the
    others stay open, or each is refused, with a memory of that, or left for later.
    """
    lang = mind.world.lang
    if reply.activity:  # one of several voices is followed, and the others stay open
        voices = sorted(voices, key=lambda each: overlap(each.text, reply.activity))[-1:]
    for voice in voices:
        wish = find_wish(mind, voice.id)
        if wish is None:
            continue
        if reply.activity:
            why = say_about_wish(lang, "planned", time=reply.start, activity=reply.activity)
            record_wish(mind, wish, "planned", cause, why, voice.id)
        elif reply.answer == "no":
            memory = await _remember_refusal(mind, voice, reply.because, cause)
            record_wish(mind, wish, "refused", cause, reply.because, memory.id)
        else:
            why = reply.because or say_about_wish(lang, "unplanned")
            record_wish(mind, wish, "left", cause, why, voice.id)


def _record_change(mind: Mind, reason: Concept, changed: Concept, cause: str) -> None:
    """Record that the wish of an inner voice, if that is the reason, is done by a change of an
    occasion.
    """
    if wish := find_wish(mind, reason.id):
        record_wish(mind, wish, "done", cause, changed.text, changed.id)


async def _remember_refusal(mind: Mind, voice: Concept, why: str, cause: str) -> Concept:
    """Store and return the memory of deciding against a wish."""
    text = say_about_wish(
        mind.world.lang, "declined", name=mind.me.name, text=voice.text, why=why or "–"
    )
    memory = NewMemory("thought", text, mind.who, DECLINE_PREDICATE, evidence=(voice.id,))
    (made,) = await mind.remember([memory], [voice.poignancy], cause)
    return made


def _intentions_to_show(
    mind: Mind,
    voices: tuple[Concept, ...],
    reasons: tuple[Concept, ...],
    others: Sequence[str],
) -> tuple[Concept, ...]:
    """Return the resident's resolutions among the reasons, and further open intentions to do something;
    none for the smallest models.
    """
    if mind.freedom() == "plain":
        return ()
    resolved = tuple(memory for memory in reasons if is_intention(memory))
    shown = {memory.id for memory in (*voices, *resolved)}
    further = find_open_intentions(mind, others, shown)
    lang = mind.world.lang
    return (*resolved, *(each for each in further if not is_refraining(each.text, lang)))


def _intentions_behind(mind: Mind, entries: Iterable[Entry]) -> list[Concept]:
    """Return the live memories of the inner voices and reasons that put entries into the schedule."""
    numbers = (
        int(entry.origin.removeprefix(prefix))
        for entry in entries
        for prefix in (VOICE_ORIGIN, REASON_ORIGIN)
        if entry.origin.startswith(prefix)
    )
    return [memory for memory in _live(mind, numbers) if is_intention(memory)]


def _as_resolution(mind: Mind, reply: ReconsiderReply, address: str, origin: str) -> Resolution:
    """Return a resolution of a resident in the form of an agreement with no other. Without words
    for the outside of the act, others see it without the names of residents.
    """
    start = datetime.combine(mind.now.date(), time()) + timedelta(
        minutes=clock_minutes(reply.start)
    )
    outside = reply.seen or _hide_names(mind, reply.activity)
    return Resolution(
        reply.activity, (mind.who,), address, start, reply.minutes, origin, outside=outside
    )


def _hide_names(mind: Mind, activity: str) -> str:
    """Return a phrase for an act whose visible part names other residents; "" for any other."""
    named = set(find_named(mind.world, (visible_part(activity, mind.world.lang),)))
    return catalogue(mind.world.lang, "outside")["hidden_seen"] if named - {mind.who} else ""
