"""The happenings and gatherings around a resident that stand in all their prompts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce

from hometown.agent.mind.phrasing import Words
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import ENDED_PREDICATE, GATHERED_PREDICATE, Concept
from hometown.world.befalling import course_of
from hometown.world.happening_process import DAMAGE_KEY, find_workers, work_needed
from hometown.world.incidents import Happening, UnfoldingHappening
from hometown.world.occasion import MANY, Guest, Occasion
from hometown.world.state import State
from hometown.world.world import Gathering, World, arena_of

NOON = 12
"""The hour until which the gatherings of the day before stand in prompts."""

AFTERMATH = timedelta(minutes=60)
"""Time for which the end of a happening stays in the prompts of those who are where it was, and an
alarm comes to mind first.
"""

ALARM_POIGNANCY_MIN = 7
"""Minimum poignancy of an alarm that is seen or heard."""


def describe_happenings(
    words: Words, state: State, who: str, arena: str, now: datetime, since: datetime
) -> tuple[str, ...]:
    """Return a sentence for each happening in the resident's arena, and for each whose end they
    saw or were told of within the last hour; once, since the time `since` of the last step, if they
    are elsewhere. What closes the place where they are is told once.
    """
    here = [each for each in state.happenings if arena_of(each.address) == arena]
    present = (_describe_present(words, state, happening, who, now) for happening in here)
    told = [words.say("still_closed", text="", closure=happening.clause) for happening in here]
    ended = (
        words.say(
            "happening_over" if _is_seen(memory) else "told_over",
            time=hhmm(minute_of_day(memory.created)),
            text=reduce(str.removesuffix, told, memory.text),
        )
        for memory in state.memory(who).since(now - AFTERMATH, ("event",))
        if memory.predicate == ENDED_PREDICATE
        and (memory.created >= since or arena_of(memory.subject) == arena)
    )
    return *present, *ended


def is_end_around(memory: Concept, arena: str, now: datetime) -> bool:
    """Return True if a memory is of the end of a happening that the prompts of those in an arena
    tell anyway.
    """
    is_end = memory.predicate == ENDED_PREDICATE and arena_of(memory.subject) == arena
    return is_end and memory.created >= now - AFTERMATH


def is_of_alarm(memory: Concept) -> bool:
    """Return True if a memory is of an alarm that was seen or heard, or of the end of one."""
    return memory.predicate == ENDED_PREDICATE or (
        memory.predicate == memory.text and memory.poignancy >= ALARM_POIGNANCY_MIN
    )


def _is_seen(memory: Concept) -> bool:
    """Return True if a memory of a happening's end was made at its place, and not told."""
    return not memory.talk and arena_of(memory.subject) == memory.address


def describe_gatherings(
    words: Words, known: Sequence[tuple[Occasion, Guest]], arena: str, now: datetime
) -> Iterator[str]:
    """Yield a sentence for each gathering under way that the resident knows of: its place, its end
    and their part in it; for a resident who is there, also its offerings and its present moment.
    """
    for occasion, me in known:
        if not (occasion.gathers and occasion.is_on(now)):
            continue
        parts = [_describe_occasion(words, occasion, me)]
        if occasion.address == arena and occasion.lacks_host(now):
            parts.append(words.say("host_not_here"))
        if occasion.address == arena:
            gathering = _find_gathering(words, occasion)
            brings = gathering.brings if gathering else ""
            parts += [words.say("brings", what=brings)] if brings else []
            parts += [
                words.say("at_moment", moment=moment)
                for start, end, moment in list_moments(words, occasion)
                if start <= now < end
            ]
        yield "".join(parts)


def describe_changed_gatherings(
    words: Words, state: State, who: str, now: datetime
) -> Iterator[str]:
    """Yield a sentence for each gathering that the resident knows to be called off, until it would
    have ended, or to be moved, until it begins.
    """
    for _, occasion in (*state.called_off, *state.occasions):
        guest = occasion.guest(who)
        is_off = occasion.fate == "called off"
        if (
            guest is not None
            and not guest.unaware
            and occasion.fate
            and occasion.gathers
            and now < (occasion.end if is_off else occasion.start)
        ):
            was = occasion.as_announced
            yield words.say(
                "gathering_off" if is_off else "gathering_moved",
                what=occasion.what,
                place=words.world.place_name(occasion.address),
                when=words.when(occasion.start),
                old_place=words.world.place_name(was.address),
                old_when=words.when(was.start),
            )


def list_moments(words: Words, occasion: Occasion) -> list[tuple[datetime, datetime, str]]:
    """Return the moments of an occasion as (start, end, moment): those of its storyline's gathering;
    none of an agreed meeting.
    """
    gathering = _find_gathering(words, occasion)
    return [*occasion.spans_of(gathering.moments)] if gathering else []


def _find_gathering(words: Words, occasion: Occasion) -> Gathering | None:
    """Return the gathering of an occasion's storyline; None for an agreed meeting."""
    story = words.world.storyline(occasion.story)
    return story.gathering if story else None


def _describe_occasion(words: Words, occasion: Occasion, me: Guest) -> str:
    """Return the sentences on a gathering under way: its place and hours, and the resident's part
    in it, for a host with those who have promised to come; without hosts, it is a meeting of
    friends.
    """
    part = f"part_{me.part}" if occasion.hosts else "part_among"
    sentences = words.say(
        "gathering_on",
        what=occasion.what,
        place=words.world.place_name(occasion.address),
        start=hhmm(minute_of_day(occasion.start)),
        end=hhmm(minute_of_day(occasion.end)),
    ) + words.say(part, hosts=words.names(occasion.hosts))
    coming = [who for who in occasion.expected if not occasion.gives(who)]
    if me.part == "gives" and coming:
        sentences += words.say("guests_coming", names=words.name_first(coming))
    return sentences


def find_last_gathering(world: World, state: State, who: str, now: datetime) -> Concept | None:
    """Return, until noon, the memory of the last gathering of the day before at which the resident
    has been, a storyline's or one of at least `MANY`; None if there is none.
    """
    if now.hour >= NOON:
        return None
    titles = {story.title for story in world.storylines if story.gathering}
    return next(
        (
            memory
            for memory in state.memory(who).since(now - timedelta(days=1), ("event",))
            if memory.predicate == GATHERED_PREDICATE
            and (memory.object in titles or len(memory.about) + 1 >= MANY)
            and memory.created.date() < now.date()
        ),
        None,
    )


def _describe_present(
    words: Words, state: State, happening: Happening, who: str, now: datetime
) -> str:
    """Return the sentences for a resident on a happening that goes on: its text and stage, an
    activity that would end it, and that the place is closed.
    """
    course = course_of(happening, words.world.lang)
    parts = [words.say("happening_here", text=happening.clause)]
    if isinstance(happening, UnfoldingHappening):
        parts += _describe_stage(words, state, happening, who, now)
    if course.remedy:
        parts.append(words.say("lasts_until", remedy=course.remedy))
    if course.closes:
        parts.append(words.say("is_closed"))
    return "".join(parts)


def _describe_stage(
    words: Words, state: State, happening: UnfoldingHappening, who: str, now: datetime
) -> Iterator[str]:
    """Yield sentences for a resident on the stage of a happening: its growth, those who work on it,
    the work left, and the help that has been called.
    """
    if happening.stage == "grown":
        yield words.say("is_growing")
    if workers := find_workers(words.world, state, happening):
        names = [words.say("you") if each == who else words.name(each) for each in workers]
        yield words.say("worked_on", names=words.join(names))
    if happening.course.key == DAMAGE_KEY:
        left = work_needed(happening) - happening.worked
        yield words.say("work_left", minutes=str(left))
    if happening.called:
        key = "help_coming" if now < happening.called else "help_here"
        time = hhmm(minute_of_day(happening.called))
        yield words.say(key, helpers=happening.course.helpers, time=time)
