"""Verdicts on answers by rule: against the state of the resident at that step, and nothing later.

The rules check facts that need no understanding: the resident's knowledge of a storyline or a
person, their age and work, their place, their plan for an hour, and the presence of an answer's
people, places and times of day among the resident's own data. They judge neither the believability
of an answer nor claims in other words; those need a reader, or a judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, get_args

from hometown.clock import hhmm, parse_hhmm
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.verdicts import Held
from hometown.study.interview import InterviewAnswer, Interviewer
from hometown.study.mentions import (
    HALF_DAY,
    find_ages,
    find_numbers,
    find_people,
    find_places,
    find_times,
    is_near,
    name_parts,
)
from hometown.study.questionnaire import InterviewQuestion
from hometown.text_features import STOP_CHARACTERS, STOP_WORDS, features
from hometown.world.rows import Promise
from hometown.world.state import State
from hometown.world.world import Storyline, World, sector_of

Verdict = Literal[Held, "unanswered"]
"""supported: all facts that can be checked hold. embellished: right, but with a person, place or
time unknown to the resident. invented: claims knowledge that the resident lacks. contradicted: says
otherwise than the resident's data. missed: denies the resident's knowledge. declined: says that it
doesn't know, rightly, or where no rule can tell. unchecked: has no fact that a rule can check.
unanswered: the model gave no usable answer.
"""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

MIN_SHARED_WORDS = 0.6
"""Share of an activity's content words from which on an answer counts as naming it."""

TOLERANCE = 15
"""Minutes by which a time of day may be rounded."""


@frozen
class Judgement:
    """`support`: memories, by id, that support the answer; `objections`: its unsupported parts, in
    the run's language.
    """

    verdict: Verdict
    support: tuple[int, ...] = ()
    objections: tuple[str, ...] = ()


def judge(
    interviewer: Interviewer, question: InterviewQuestion, answer: InterviewAnswer
) -> Judgement:
    """Return the verdict on an answer to a question of a questionnaire, by the rule that the
    question names (`truth`); "unanswered" for a fallback.
    """
    if answer.outcome == "fallback":
        return Judgement("unanswered")
    if question.choices.options:
        return Judgement("declined" if answer.text == question.choices.refusal else "unchecked")
    case = _Case(interviewer.world(answer.step), interviewer.state(answer.step), answer)
    match question.truth:
        case "story":
            return case.of_topic(
                case.knowing_of(
                    next(story for story in case.world.storylines if story.id == question.about)
                )
            )
        case "person":
            return case.of_topic(
                case.knowing(question.about), known=case.is_acquainted(question.about)
            )
        case "age":
            return case.of_age()
        case "occupation" | "name":
            return case.of_words(
                case.me.occupation if question.truth == "occupation" else case.me.name
            )
        case "plan":
            return case.of_plan(parse_hhmm(question.about))
        case "now":
            return case.of_place()
        case _:
            return case.of_details()


class _Case:
    """An answer, and all of the resident's data at that step."""

    def __init__(self, world: World, state: State, answer: InterviewAnswer) -> None:
        self.world, self.state, self.answer, self.text = world, state, answer, answer.text
        self.me = world.personas[answer.who]
        self.memories = state.memory(answer.who).concepts

    # verdicts by kind of question ----------------------------------------------------------

    def of_topic(self, support: list[Concept], known: bool = False) -> Judgement:
        """Judge an answer to a question about knowledge: the memories of the topic (`support`), or
        acquaintance (`known`), are the truth. Times must be near those of the memories or of the
        resident's own data, and other details are judged as in any answer.
        """
        known = known or bool(support)
        if self.answer.knows != "yes":
            return Judgement("missed" if known else "declined", _ids(support))
        if not known:
            return Judgement("invented", (), (self.answer.question,))
        clocks = {minute for memory in support for minute in find_times(memory.text)}
        wrong = [
            minute
            for minute in find_times(self.text)
            if clocks
            and not is_near(minute, clocks, TOLERANCE)
            and not is_near(minute, self.clocks, TOLERANCE)
        ]
        if wrong:
            return Judgement("contradicted", _ids(support), tuple(hhmm(minute) for minute in wrong))
        details = self.of_details()
        return details if details.objections else Judgement("supported", _ids(support))

    def of_age(self) -> Judgement:
        """Judge an answer about age: supported if it contains the right number, contradicted if it
        says only others as an age, else declined or unchecked.
        """
        if self.me.age in find_numbers(self.text):
            return Judgement("supported")
        if wrong := sorted(find_ages(self.text)):
            return Judgement("contradicted", (), tuple(map(str, wrong)))
        return Judgement("declined" if self.answer.knows == "no" else "unchecked")

    def of_words(self, right: str) -> Judgement:
        """Judge an answer about the persona: supported if it shares a word with the right one and
        its details hold, else by its details.
        """
        details = self.of_details()
        return (
            Judgement("supported")
            if content(right) & content(self.text) and not details.objections
            else details
        )

    def of_plan(self, minute: int) -> Judgement:
        """Judge an answer about the plan at a minute: supported if it shares a word with the entry
        or the task of then, contradicted if it names another entry of the day, else by its details;
        by its details too if nothing is planned then or the resident says that they don't know.
        """
        entries = self.state.schedule(self.answer.who).entries
        right = next((entry for entry in entries if entry.start <= minute < entry.end), None)
        said = content(self.text)
        if right is None or self.answer.knows == "no":
            return self.of_details()
        steps = (
            task.activity
            for task in self.state.tasks(self.answer.who).items
            if task.start <= minute < task.end
        )
        if any(content(activity) & said for activity in (right.activity, *steps)):
            return Judgement("supported")
        others = [
            entry
            for entry in entries
            if entry.activity != right.activity
            and _share(content(entry.activity), said) >= MIN_SHARED_WORDS
        ]
        return Judgement("contradicted", (), (str(others[0]),)) if others else self.of_details()

    def of_place(self) -> Judgement:
        """Judge an answer about the present place: supported if it names the place, contradicted if
        it names only others, else by its details.
        """
        here = self.answer.given.situation.where
        places = {
            self.world.sectors[address].name for address in find_places(self.text, self.world)
        }
        if any(name in here for name in places) or here in self.text:
            return Judgement("supported")
        return Judgement("contradicted", (), tuple(sorted(places))) if places else self.of_details()

    def of_details(self) -> Judgement:
        """Judge any answer: each person, place, time and storyline that it names has to occur in
        the resident's data.

        A memory supports it if the answer cites it and shares a word with it: a citation without a
        common word is no support, nor is one of an answer that doubts.
        """
        if self.answer.knows == "no":
            return Judgement("declined")
        stories = [
            story
            for story in self.world.storylines
            if story.is_mentioned_in(self.text) and not story.is_mentioned_in(self.own)
        ]
        if stories:
            return Judgement("invented", (), tuple(story.title for story in stories))
        objections = (*self.strangers(), *self.strange_places(), *self.strange_times())
        if objections:
            return Judgement("embellished", (), objections)
        said = content(self.text)
        support = [memory for memory in self.answer.cited if content(memory.text) & said]
        is_supported = bool(support) and self.answer.knows == "yes"
        return Judgement("supported", _ids(support)) if is_supported else Judgement("unchecked")

    def strangers(self) -> Iterator[str]:
        """Yield the people whom only the answer names, and nothing in the resident's data."""
        named = {
            who: self.names[who]
            for who in sorted(find_people(self.text, self.names))
            if not self.is_acquainted(who)
        }
        own = find_people(self.own, named) if named else set()
        yield from (self.world.personas[who].name for who in named if who not in own)

    def strange_places(self) -> Iterator[str]:
        """Yield the buildings and grounds that the resident can neither find nor has heard of."""
        named = sorted(find_places(self.text, self.world) - self.places)
        own = find_places(self.own, self.world) if named else set()
        yield from (self.world.sectors[place].name for place in named if place not in own)

    def strange_times(self) -> Iterator[str]:
        """Yield the times of day that the answer names and nothing in the resident's data is near."""
        yield from (
            hhmm(minute)
            for minute in sorted(find_times(self.text))
            if not is_near(minute, self.clocks, TOLERANCE)
        )

    # the resident's data -----------------------------------------------------------------

    def knowing_of(self, story: Storyline) -> list[Concept]:
        """Return the memories that mention a storyline."""
        return [memory for memory in self.memories.values() if story.is_mentioned_in(memory.text)]

    def knowing(self, other: str) -> list[Concept]:
        """Return the memories that are about another resident or name them."""
        named = {other: self.names[other]}
        return [
            memory
            for memory in self.memories.values()
            if other in memory.about or find_people(memory.text, named)
        ]

    def is_acquainted(self, other: str) -> bool:
        """Return True if another is the resident's own self, related to them, or one with whom they have
        talked.
        """
        return (
            other == self.answer.who
            or bool(self.me.relation_to(other))
            or self.state.relation(self.answer.who, other).talks > 0
        )

    @cached_property
    def names(self) -> dict[str, tuple[str, ...]]:
        return name_parts(self.world)

    @cached_property
    def places(self) -> set[str]:
        """Return the buildings and grounds that the resident can find."""
        return {sector_of(arena) for arena in self.state.places(self.answer.who).arenas}

    @property
    def promises(self) -> tuple[Promise, ...]:
        """Return the resident's agreements."""
        return self.state.promises(self.answer.who).items

    @cached_property
    def own(self) -> str:
        """Return all texts of the resident's data: persona, memories, plans, agreements, and this
        conversation.
        """
        given, me, who = self.answer.given, self.me, self.answer.who
        persona = (
            me.name,
            me.occupation,
            me.innate,
            me.learned,
            me.lifestyle,
            me.daily_plan,
            *me.interests,
            *(me.relations or {}).values(),
        )
        habits = (habit.activity for habit in me.habits)
        plan = (entry.activity for entry in self.state.schedule(who).entries)
        promised = (
            part
            for promise in self.promises
            for part in (promise.what, *map(self.world.name_of, (*promise.people, promise.address)))
        )
        asked = (part for pair in given.lines for part in pair)
        now = (
            self.state.mind(who).currently,
            self.state.action(who).activity,
            given.situation.where,
            given.situation.doing,
            given.question,
        )
        remembered = (memory.text for memory in self.memories.values())
        return "\n".join((*persona, *habits, *plan, *promised, *asked, *now, *remembered))

    @cached_property
    def clocks(self) -> set[int]:
        """Return the times of day in the resident's data, as minutes on a clock with hands (0–719):
        in texts, plan and habits, and beside the memories of the prompt.
        """
        given = self.answer.given
        minutes = [entry.start for entry in self.state.schedule(self.answer.who).entries]
        minutes += [
            self.me.wake,
            self.me.bed,
            *(edge for habit in self.me.habits for edge in (habit.start, habit.end)),
        ]
        moments = [
            given.situation.now,
            *(memory.created for memory in given.memories),
            *(promise.start for promise in self.promises),
        ]
        return find_times(self.own) | {
            minute % HALF_DAY
            for minute in (*minutes, *(moment.hour * 60 + moment.minute for moment in moments))
        }


def content(text: str) -> set[str]:
    """Return the content words of a text by their first letters, of Chinese pairs of characters."""
    units = {(kind, unit) for kind, unit in features(text) if kind in ("word", "han")}
    words = {
        unit[:5]
        for kind, unit in units
        if kind == "word" and len(unit) > 2 and unit not in STOP_WORDS
    }
    return words | {
        unit
        for kind, unit in units
        if kind == "han" and len(unit) == 2 and not STOP_CHARACTERS.intersection(unit)
    }


def _share(part: set[str], text: set[str]) -> float:
    """Return the share of the words of `part` that occur in `text`, 0 if there are none."""
    return len(part & text) / len(part) if part else 0.0


def _ids(memories: list[Concept] | tuple[Concept, ...]) -> tuple[int, ...]:
    return tuple(memory.id for memory in memories)
