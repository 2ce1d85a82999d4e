"""Looking back on occasions: who came, what was not talked about, and who did not keep a promise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from hometown.agent.inner_life.bonds import move_bond
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.facing import list_talked_with
from hometown.agent.mind.present_events import is_of_alarm
from hometown.agent.planning.at_occasions import has_talked_at, is_way
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_origins import free_until
from hometown.agent.planning.participation import (
    LOOKBACK_MEMORIES,
    is_for_meeting,
    settle_agreement,
)
from hometown.memory.concept import GATHERED_PREDICATE
from hometown.world.effects import Rescheduled
from hometown.world.incidents import Countermeasure
from hometown.world.occasion import ON_TIME, Guest, Occasion
from hometown.world.rows import Promise

ALARM_SHADOW = timedelta(hours=1)
"""Time before an occasion from which an alarm excuses those who do not come."""

ATTENDED_POIGNANCY, MISSED_POIGNANCY, GATHERED_POIGNANCY = 5, 6, 8
"""Poignancy of the memory of who came to a meeting, of a promise to come that was not kept, and of
the memory of a gathering of a storyline.
"""


async def look_back_on_occasions(mind: Mind) -> None:
    """Remember who came to occasions that have just ended, agreed meetings without a conversation,
    and promises to come that others or the resident did not keep. The memories of having agreed are
    settled. Sleepers do not look back.
    """
    for occasion, me in mind.scene.occasions[mind.who]:
        if not occasion.end <= mind.now < occasion.end + timedelta(
            minutes=mind.moment.stride
        ) or mind.state.is_asleep(mind.who):
            continue
        settle_agreement(mind, _talks_about(mind, occasion), occasion.address, "rule:occasion")
        if me.came is not None:
            await _remember_who_came(mind, occasion)
        elif me.came is None and mind.who in occasion.expected:
            await _remember_staying_away(mind, occasion)


async def _remember_who_came(mind: Mind, occasion: Occasion) -> None:
    """Store a memory of the meeting, if it was not only the end of a way together, and memories of
    promises that others did not keep, each of which weakens the bond to them and is a reason to
    reconsider the day.
    """
    seen = _seen_at(mind, occasion)
    came = [guest for guest in occasion.guests if guest.came is not None and guest.who in seen]
    if not is_way(mind, occasion):
        await _remember_meeting(mind, occasion, came)
    words, place = mind.words, mind.world.place_name(occasion.address)
    missed = [
        who
        for who in _agreed_with(mind, occasion)
        if (guest := occasion.guest(who)) and guest.came is None and who in occasion.expected
    ]
    alarm = _find_alarm(mind, occasion)
    for who in missed:
        text = words.say(
            "waited_in_alarm" if alarm else "waited_for",
            name=mind.me.name,
            other=words.name(who),
            what=occasion.what,
            place=place,
            alarm=alarm,
        )
        (made,) = await mind.remember(
            [NewMemory("thought", text, mind.who, "missed", who, about=(who,))],
            [MISSED_POIGNANCY],
            "rule:occasion",
        )
        give_reason(mind, made, "rule:let_down")
        if not alarm:
            move_bond(mind, who, "waited", "rule:occasion")


def _find_alarm(mind: Mind, occasion: Occasion) -> str:
    """Return the latest memory of an alarm that may have kept a guest from an occasion, as a clause;
    "" if the resident knows of none since they have known of the occasion.
    """
    since = mind.state.memory(mind.who).since(_excused_since(mind, occasion), ("event",))
    texts = [memory.text.rstrip(" .!。！") for memory in since if is_of_alarm(memory)]
    return texts[-1] if texts else ""


def _excused_since(mind: Mind, occasion: Occasion) -> datetime:
    """Return the time from which an emergency excuses those who do not come to an occasion: who has
    agreed to come since has known of it.
    """
    me = occasion.guest(mind.who)
    return max(occasion.start - ALARM_SHADOW, me.since if me else occasion.start - ALARM_SHADOW)


async def _remember_meeting(mind: Mind, occasion: Occasion, came: Sequence[Guest]) -> None:
    """Store a memory of the guests of an occasion, or that nothing came of it."""
    if unmet := _list_unmet(mind, occasion):
        await _remember_missed_talk(mind, occasion, unmet)
    elif len(came) > 1 or occasion.fate == "fell through":
        await _remember_guests(mind, occasion, came)


async def _remember_guests(mind: Mind, occasion: Occasion, came: Sequence[Guest]) -> None:
    """Store a memory of the guests of an occasion, and of those who came late. One that fell through
    leaves free time, and is a reason to reconsider the day.
    """
    late = [guest.who for guest in came if occasion.is_late(guest)]
    text = mind.words.say(
        "came_together",
        names=mind.words.name_first([guest.who for guest in came]),
        place=mind.world.place_name(occasion.address),
        what=occasion.what,
    )
    text += mind.words.say("came_late", names=mind.words.name_first(late)) if late else ""
    place, others = occasion.address, tuple(guest.who for guest in came if guest.who != mind.who)
    if has_failed := occasion.fate == "fell through":
        text += mind.words.say("fell_through", hosts=mind.words.name_first(occasion.hosts))
        others += occasion.hosts
    memory = NewMemory(
        "event", text, place, GATHERED_PREDICATE, occasion.what, address=place, about=others
    )
    attended = GATHERED_POIGNANCY if occasion.story else ATTENDED_POIGNANCY
    rating = MISSED_POIGNANCY if has_failed else attended
    (made,) = await mind.remember([memory], [rating], "rule:occasion")
    if has_failed:
        schedule = mind.state.schedule(mind.who)
        if schedule.date == mind.now.date() and schedule.at(mind.minute).address == place:
            left = free_until(mind, schedule, schedule.at(mind.minute).end)
            mind.do(Rescheduled(mind.who, left, "rule:occasion"), "rule:occasion")
        give_reason(mind, made, "rule:let_down")


def _list_unmet(mind: Mind, occasion: Occasion) -> list[str]:
    """Return those who came to an agreed meeting as well, if the resident has talked with none of
    them there, and nobody is in a conversation; none of a gathering.
    """
    others = [who for who in _agreed_with(mind, occasion) if who in occasion.came]
    has_met = any(has_talked_at(mind, occasion, who) for who in others) or any(
        mind.state.talking(who) is not None for who in (mind.who, *others)
    )
    return [] if occasion.gathers or has_met else others


async def _remember_missed_talk(mind: Mind, occasion: Occasion, others: Sequence[str]) -> None:
    """Store a memory of an agreed meeting to which others came as well, and of which nothing came."""
    text = mind.words.say(
        "missed_talk",
        name=mind.me.name,
        others=mind.words.name_first(others),
        what=occasion.what,
        place=mind.world.place_name(occasion.address),
    )
    memory = NewMemory(
        "event", text, mind.who, "missed", others[0], occasion.address, about=tuple(others)
    )
    (made,) = await mind.remember([memory], [MISSED_POIGNANCY], "rule:occasion")
    give_reason(mind, made, "rule:let_down")


def _seen_at(mind: Mind, occasion: Occasion) -> set[str]:
    """Return residents seen at an occasion: those present now, and those in memories since it
    began.
    """
    recent = mind.state.memory(mind.who).recent(("event", "chat"), LOOKBACK_MEMORIES)
    noticed = {
        who
        for memory in recent
        if memory.created >= occasion.start - ON_TIME
        for who in (memory.subject, *memory.about)
    }
    return {mind.who, *mind.scene.residents[mind.arena]} | noticed


async def _remember_staying_away(mind: Mind, occasion: Occasion) -> None:
    """Store a memory of the resident's own broken promise to come, a reason to reconsider the day, and
    of the emergency that kept them from it, if one did; none where nobody else was to come.
    """
    others = _agreed_with(mind, occasion) or [who for who in occasion.expected if who != mind.who]
    if not others:
        return
    words = mind.words
    place = mind.world.place_name(occasion.address)
    talked_with = list_talked_with(mind, occasion.start)
    doing = (
        words.say("talking_with", other=words.names(talked_with))
        if talked_with
        else mind.state.action(mind.who).activity
    )
    measure = _find_excuse(mind, occasion)
    text = words.say(
        "kept_away" if measure else "stayed_away",
        name=mind.me.name,
        others=mind.words.name_first(others),
        what=occasion.what,
        place=place,
        doing=measure.what if measure else doing,
    )
    (made,) = await mind.remember(
        [NewMemory("thought", text, mind.who, "stayed away", about=tuple(others))],
        [MISSED_POIGNANCY],
        "rule:occasion",
    )
    give_reason(mind, made, "rule:stayed_away")


def _find_excuse(mind: Mind, occasion: Occasion) -> Countermeasure | None:
    """Return the resident's response to a happening that may have kept them from an occasion; None
    if there is none.
    """
    measure = mind.state.measure(mind.who)
    is_excuse = (
        measure is not None
        and measure.role in ("helps", "calls", "saves")
        and _excused_since(mind, occasion) <= measure.when < occasion.end
    )
    return measure if is_excuse else None


def _talks_about(mind: Mind, occasion: Occasion) -> set[str]:
    """Return the conversations in which the resident agreed to come to an occasion."""
    return {promise.talk for promise in list_promises_for(mind, occasion)}


def _agreed_with(mind: Mind, occasion: Occasion) -> list[str]:
    """Return residents who have promised the resident to come to an occasion."""
    met = (promise.people for promise in list_promises_for(mind, occasion))
    return list(dict.fromkeys(who for people in met for who in people if who != mind.who))


def list_promises_for(mind: Mind, occasion: Occasion) -> list[Promise]:
    """Return the resident's promises to come to an occasion."""
    return [
        promise
        for promise in mind.state.promises(mind.who).items
        if occasion.at_once_with(promise.start, promise.end) and is_for_meeting(occasion, promise)
    ]
