"""What people come together for: how somebody learns of an occasion, goes to it, gives it, and
looks back on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from hometown.agent.bonds import move
from hometown.agent.mind import Mind, NewMemory
from hometown.clock import DAY, minute_of_day
from hometown.memory.schedule import Entry, Schedule
from hometown.prompt.noticing import Neighbour
from hometown.world.occasion import ON_TIME, Guest, Occasion, Part
from hometown.world.rows import Promise
from hometown.world.social import OccasionKnown, OccasionSet
from hometown.world.work import workplace
from hometown.world.world import sector_of

PREPARES, CLEARS = 60, 20
"""Minutes for which whoever gives a gathering gets ready for it, and clears up after it."""

JOINS = 0.8
"""Probability with which one of those who came to an occasion comes up to others who talk at it."""

NAMED = 5
"""People who are named, at most, of those who came."""

LOOKED_BACK = 60
"""Latest memories among which those of an occasion are looked for."""

CAME, MISSED = 5, 6
"""Poignancy of who came to an occasion, and of somebody who had agreed to come and did not."""


# knowing of it -----------------------------------------------------------------------------


def is_about(mind: Mind, occasion: Occasion, text: str) -> bool:
    """Whether a text is about an occasion: one of the world's by the words of its storyline, any
    other by what it is for and its place.
    """
    story = next((story for story in mind.world.storylines if story.id == occasion.story), None)
    if story:
        return story.is_mentioned_in(text)
    folded = text.casefold()
    return (
        occasion.what.casefold() in folded
        and mind.world.place_name(occasion.address).casefold() in folded
    )


def hear_of(mind: Mind, text: str, teller: str, cause: str) -> None:
    """Notes that the resident learns of an occasion by a piece of news: it is told of it, or asked
    to it by whoever gives it.
    """
    for number, occasion in mind.state.occasions:
        if occasion.guest(mind.who) is None and is_about(mind, occasion, text):
            part: Part = "asked" if occasion.gives(teller) else "told"
            mind.do(OccasionKnown(number, Guest(mind.who, mind.now, teller, part)), cause)


def settled(mind: Mind, promise: Promise) -> tuple[Promise, str]:
    """An agreement as it fits to the occasion that one of those who agreed knows of, with the
    occasion's id; as it is, with "", where it is for none.
    """
    for number, occasion in mind.state.occasions:
        end = promise.start + timedelta(minutes=promise.minutes)
        known = (
            any(occasion.guest(who) for who in promise.people)
            and occasion.start.date() == promise.start.date()
        )
        there = promise.address == occasion.address and occasion.at_once_with(promise.start, end)
        if known and (there or is_about(mind, occasion, promise.what)):
            start = (
                promise.start if occasion.start <= promise.start < occasion.end else occasion.start
            )
            minutes = min(promise.minutes, round((occasion.end - start).total_seconds() / 60))
            return replace(promise, address=occasion.address, start=start, minutes=minutes), number
    return promise, ""


def note(mind: Mind, promise: Promise, number: str, cause: str) -> None:
    """Makes an agreement an occasion, or says that those who agreed come to the one with this
    number.
    """
    here = sector_of(promise.address)
    if number:
        knew = next(
            (
                who
                for who in promise.people
                if (known := mind.state.occasion(number)) and known.guest(who)
            ),
            "",
        )
        for who in promise.people:
            mind.do(
                OccasionKnown(number, Guest(who, mind.now, "" if who == knew else knew, "comes")),
                cause,
            )
        return
    homes = {
        who: (persona.home, workplace(persona.habits, persona.home))
        for who, persona in mind.world.personas.items()
        if who in promise.people
    }
    givers = [
        who
        for who, places in homes.items()
        if any(place and sector_of(place) == here for place in places)
    ]
    guests = tuple(
        Guest(who, mind.now, part="gives" if who in givers else "comes") for who in promise.people
    )
    mind.do(
        OccasionSet(
            f"{promise.talk} {promise.start:%d-%H:%M}",
            Occasion(promise.what, promise.address, promise.start, promise.minutes, guests),
        ),
        cause,
    )


# on one's plan -----------------------------------------------------------------------------


def intended(mind: Mind, schedule: Schedule) -> Iterator[Entry]:
    """Entries that lead, in time, to the occasions which the resident has been told of and means to
    go to, as what it has planned says.
    """
    for number, occasion in _today(mind):
        guest = occasion.guest(mind.who)
        if guest is None or guest.part not in ("told", "asked"):
            continue
        start, end = _span(occasion)
        for entry in schedule.entries:
            if (
                entry.kind == "activity"
                and entry.start < end
                and start - PREPARES < entry.end
                and is_about(mind, occasion, entry.activity)
            ):
                yield Entry(
                    start,
                    end,
                    entry.activity,
                    "appointment",
                    occasion.address,
                    f"occasion:{number}",
                )
                break


def preparations(mind: Mind, schedule: Schedule) -> Iterator[Entry]:
    """What whoever gives a gathering does before and after it, as far as it is awake and has agreed
    to nothing else then.
    """
    for number, occasion in _today(mind):
        if not (occasion.gathers and occasion.gives(mind.who)):
            continue
        start, end = _span(occasion)
        around = (
            ("getting_ready", start - PREPARES, start),
            ("clearing_up", end, min(end + CLEARS, DAY)),
        )
        for key, begin, until in around:
            what = mind.words.say(key, what=occasion.what)
            free = all(
                entry.kind == "activity"
                for entry in schedule.entries
                if entry.start < until and begin < entry.end
            )
            if 0 <= begin < until and free:
                yield Entry(
                    begin, until, what, "appointment", occasion.address, f"occasion:{number}"
                )


def _today(mind: Mind) -> list[tuple[str, Occasion]]:
    """Occasions of today that have not begun."""
    return [
        each
        for each in mind.state.occasions
        if each[1].start.date() == mind.now.date() and each[1].start >= mind.now
    ]


def _span(occasion: Occasion) -> tuple[int, int]:
    start = minute_of_day(occasion.start)
    return start, min(start + occasion.minutes, DAY)


# there -------------------------------------------------------------------------------------


def to_greet(
    mind: Mind, in_reach: Callable[[Mind], Sequence[Neighbour]]
) -> tuple[Neighbour, Occasion] | None:
    """Somebody in sight who has come to an occasion that the resident gives, and has not been
    spoken to since; None if there is nobody.

    `in_reach` gives those with whom a conversation could begin. It is asked only at an occasion,
    since there may be a crowd.
    """
    for occasion, me in mind.scene.occasions[mind.who]:
        if (
            me.part == "gives"
            and occasion.gathers
            and occasion.is_on(mind.now)
            and mind.arena == occasion.address
        ):
            for other in in_reach(mind):
                if other.id in occasion.came and not has_met_there(other, occasion):
                    return other, occasion
    return None


def has_met_there(other: Neighbour, occasion: Occasion) -> bool:
    """Whether the resident has talked to another since an occasion began."""
    return other.last_conversation is not None and other.last_conversation >= occasion.start


def mingles(mind: Mind, talking: Sequence[str]) -> bool:
    """Whether somebody who has come to a gathering comes up to others who have."""
    gathering = gathering_of(mind)
    return (
        gathering is not None
        and gathering.came.issuperset(talking)
        and mind.rng(f"mingle {talking[0]}").random() < JOINS
    )


def gathering_of(mind: Mind) -> Occasion | None:
    """The gathering that is on and to which the resident has come."""
    return next(
        (
            each
            for each, me in mind.scene.occasions[mind.who]
            if me.came and each.is_on(mind.now) and each.gathers
        ),
        None,
    )


# looking back ------------------------------------------------------------------------------


async def look_back(mind: Mind) -> None:
    """What is left of the occasions that have just ended: who came, and who did not though it had
    agreed to, as far as the resident can know.
    """
    for occasion, me in mind.scene.occasions[mind.who]:
        if not occasion.end <= mind.now < occasion.end + timedelta(
            minutes=mind.moment.stride
        ) or mind.state.is_asleep(mind.who):
            continue
        if me.came is not None and mind.arena == occasion.address:
            await _remember_who_came(mind, occasion)
        elif me.came is None and mind.who in occasion.expected:
            await _remember_staying_away(mind, occasion)


async def _remember_who_came(mind: Mind, occasion: Occasion) -> None:
    words, place = mind.words, mind.world.place_name(occasion.address)
    seen = _seen_at(mind, occasion)
    came = [guest for guest in occasion.guests if guest.came is not None and guest.who in seen]
    if occasion.gathers and len(came) > 1:
        late = [guest.who for guest in came if occasion.is_late(guest)]
        text = words.say(
            "came_together",
            names=_listed(mind, [guest.who for guest in came]),
            place=place,
            what=occasion.what,
        )
        text += words.say("came_late", names=_listed(mind, late)) if late else ""
        others = tuple(guest.who for guest in came if guest.who != mind.who)
        await mind.remember(
            [
                NewMemory(
                    "event",
                    text,
                    occasion.address,
                    "came together",
                    address=occasion.address,
                    about=others,
                )
            ],
            [CAME],
            "rule:occasion",
        )
    missed = [
        who
        for who in _agreed_with(mind, occasion)
        if (guest := occasion.guest(who)) and guest.came is None and who in occasion.expected
    ]
    for who in missed:
        text = words.say(
            "waited_for", name=mind.me.name, other=words.name(who), what=occasion.what, place=place
        )
        await mind.remember(
            [NewMemory("thought", text, mind.who, "missed", who, about=(who,))],
            [MISSED],
            "rule:occasion",
        )
        move(mind, who, "waited", "rule:occasion")


def _seen_at(mind: Mind, occasion: Occasion) -> set[str]:
    """The resident, who is there now, and whom it remembers anything of since people came."""
    recent = mind.state.memory(mind.who).recent(("event", "chat"), LOOKED_BACK)
    noticed = {
        who
        for memory in recent
        if memory.created >= occasion.start - ON_TIME
        for who in (memory.subject, *memory.about)
    }
    return {mind.who, *mind.scene.residents[mind.arena]} | noticed


async def _remember_staying_away(mind: Mind, occasion: Occasion) -> None:
    words, others = mind.words, _agreed_with(mind, occasion)
    place, doing = mind.world.place_name(occasion.address), mind.state.action(mind.who).activity
    text = words.say(
        "stayed_away",
        name=mind.me.name,
        others=_listed(mind, others),
        what=occasion.what,
        place=place,
        doing=doing,
    )
    await mind.remember(
        [NewMemory("thought", text, mind.who, "stayed away", about=tuple(others))],
        [MISSED],
        "rule:occasion",
    )


def _agreed_with(mind: Mind, occasion: Occasion) -> list[str]:
    """Those with whom the resident has agreed to meet at an occasion."""
    promises = (
        promise
        for promise in mind.state.promises(mind.who).items
        if promise.address == occasion.address
    )
    met = (promise.people for promise in promises if occasion.start <= promise.start < occasion.end)
    return list(dict.fromkeys(who for people in met for who in people if who != mind.who))


def _listed(mind: Mind, people: Sequence[str]) -> str:
    """Names as a sentence lists them, of many the first few."""
    names = [mind.words.name(who) for who in people[:NAMED]]
    rest = [mind.words.say("and_others")] if len(people) > NAMED else []
    *first, last = [*names, *rest] or [""]
    return (
        mind.words.texts["and"].join([mind.words.texts["comma"].join(first), last])
        if first
        else last
    )
