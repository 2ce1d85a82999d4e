"""The circumstances of a resident as prompts tell them."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import islice

from hometown.agent.mind.context import StepContext
from hometown.agent.mind.phrasing import Words
from hometown.agent.mind.present_events import (
    describe_changed_gatherings,
    describe_gatherings,
    describe_happenings,
    find_last_gathering,
)
from hometown.agent.mind.process_signs import describe_processes
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry
from hometown.text import catalogue
from hometown.world.happening_process import is_done_with_measure
from hometown.world.state import PrivateState
from hometown.world.whereabouts import EARSHOT_TILES
from hometown.world.world import arena_of

RECENT_LINES = 4
"""Last lines of a conversation that stay in prompts until its summary is a memory: what was asked
and agreed to is seldom in the very last one.
"""

EARLY_PHRASES = ("in_time_for", "ready_for")
"""The phrases for the time before an appointment, at its place: elsewhere and at home."""

AWAITING = "waiting_for_resident"
"""The phrase for waiting for a resident."""

MAX_EARSHOT = 4
"""Maximum number of residents within earshot who are named in prompts."""


class Circumstances:
    """The circumstances of a resident in one step."""

    def __init__(self, who: str, context: StepContext, state: PrivateState, words: Words) -> None:
        self.who = who
        self.context = context
        self.world = context.world
        self.now = context.moment.now
        self.state = state
        self.words = words
        self.arena = context.scene.arena(who)

    def describe_happenings(self) -> tuple[str, ...]:
        """Return sentences about the happenings around the resident, at the beginning of the step:
        additions of this step are stored beside other trains of thought.
        """
        since = self.now - timedelta(minutes=self.context.moment.stride)
        return describe_happenings(
            self.words, self.context.snapshot, self.who, self.arena, self.now, since
        )

    def describe_gatherings(self) -> tuple[str, ...]:
        """Return a sentence for each gathering that goes on and that the resident knows of, and for
        each that they know to be called off or moved.
        """
        known = self.context.scene.occasions[self.who]
        return (
            *describe_gatherings(self.words, known, self.arena, self.now),
            *describe_changed_gatherings(self.words, self.state, self.who, self.now),
        )

    def find_last_gathering(self) -> Concept | None:
        """Return, until noon, the memory of a gathering of the day before; None if there is none."""
        return find_last_gathering(self.world, self.context.snapshot, self.who, self.now)

    def describe_processes(self) -> tuple[str, ...]:
        """Return a sentence for each part that processes on the town have in this moment."""
        processes = self.context.settings.processes
        if not processes.are_on:
            return ()
        here = self.context.scene.residents[self.arena]
        return tuple(
            describe_processes(self.words, self.context.snapshot, processes, self.who, here)
        )

    def describe_doing(self) -> str:
        """Return what the resident does, and the place to which they are still on the way for it, or
        that the one whom they await has come.
        """
        action, doing = self.state.action(self.who), self.describe_activity()
        if doing == action.activity and is_done_with_measure(self.state, self.who):
            return self.words.say("done_with", what=doing)
        if self.has_come_whom_they_await():
            return self.words.say("has_come", activity=doing)
        place = arena_of(action.address)
        is_on_the_way = place not in ("", self.arena) and doing == action.activity
        if not is_on_the_way or action.started is not None or self._names_way(doing):
            return doing
        return self.words.say("on_the_way", activity=doing, place=self.world.place_name(place))

    def has_come_whom_they_await(self) -> bool:
        """Return True if the resident waits for another who is here."""
        action, here = self.state.action(self.who), self.context.scene.residents[self.arena]
        awaited = (self.words.say(AWAITING, names=self.words.name(other)) for other in here)
        return action.kind == "wait" and action.activity in awaited

    def _names_way(self, doing: str) -> bool:
        """Return True if an activity is only a way."""
        way = catalogue(self.world.lang, "outside")["way"]
        return re.match(way, doing, re.IGNORECASE) is not None

    def describe_activity(self) -> str:
        """Return what the resident does: an appointment that has begun where they are early for it,
        free time in place of an activity that is over, the entry of the plan whose way they have
        gone, else their current activity.
        """
        schedule, action = self.state.schedule(self.who), self.state.action(self.who)
        doing = action.activity
        if schedule.date != self.now.date() or not schedule.entries:
            return doing
        entry = schedule.at(minute_of_day(self.now))
        is_here = entry.kind == "appointment" and entry.address == self.arena
        has_come = is_here and doing in self._say_early(entry)
        is_over = entry.activity == self.words.say("free_time") and not self._has_begun(entry)
        has_gone = action.started is not None and self._names_way(doing)
        is_for_more = has_gone and entry.kind == "activity" and self._has_begun(entry)
        return entry.activity if has_come or is_over or is_for_more else doing

    def describe_present_entry(self) -> str:
        """Return the schedule entry under way if the current activity is a part of it, or else as one
        that has begun; "" if the activity is the entry itself.
        """
        schedule, doing = self.state.schedule(self.who), self.describe_activity()
        if schedule.date != self.now.date() or not schedule.entries:
            return ""
        entry = schedule.at(minute_of_day(self.now))
        if entry.kind == "appointment" and entry.address not in ("", self.arena):
            place = self.world.place_name(entry.address)
            return self.words.say(
                "due_since", start=hhmm(entry.start), activity=entry.activity, place=place
            )
        if entry.kind == "sleep" or doing == entry.activity:
            return ""
        if not self._has_begun(entry):
            start = hhmm(entry.start)
            return self.words.say("begun_since", start=start, activity=entry.activity)
        return self.words.say(
            "within_entry", activity=entry.activity, start=hhmm(entry.start), end=hhmm(entry.end)
        )

    def _has_begun(self, entry: Entry) -> bool:
        """Return True if the tasks of an entry were begun before this step: those of this step may be
        set meanwhile by the train of thought beside this one.
        """
        return entry.start <= self.context.snapshot.tasks(self.who).entry < entry.end

    def _say_early(self, entry: Entry) -> tuple[str, ...]:
        """Return the phrases for having come early to an entry, and for being at home for it."""
        return tuple(self.words.say(key, what=entry.activity) for key in EARLY_PHRASES)

    def find_within_earshot(self) -> tuple[str, ...]:
        """Return the nearest residents who are awake and can understand what is said here."""
        near = self.context.scene.neighbours(self.who, self.context.settings.percept.vision_r)
        hearing = (other for tiles, other in near if tiles <= EARSHOT_TILES)
        return tuple(islice((who for who in hearing if not self.state.is_asleep(who)), MAX_EARSHOT))

    def describe_recent_conversation(self) -> str:
        """Return the last lines of a conversation that is not summed up yet; "" if there is none."""
        talks = (
            self.state.unsummed(question.talk)
            for question in self.state.questions(self.who)
            if question.talk
        )
        if (talk := next(talks, None)) is None:
            return ""
        said = (
            self.words.say("said", name=self.words.name(line.speaker), line=line.text)
            for line in talk.lines_for(self.who)[-RECENT_LINES:]
        )
        return self.words.say(
            "just_talked", others=self.words.names(talk.others(self.who)), said=" ".join(said)
        )
