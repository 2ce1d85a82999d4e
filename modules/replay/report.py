"""A run as `simulation.md`: a diary of the town, in the run's language, to be read with pleasure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import groupby
from pathlib import Path

from modules.clock import DAY, at_minute, hhmm, minute_of_day
from modules.replay.diary import Doing, Stay, awake, days_of, haunt, stays, steps_of
from modules.replay.frames import TALKING, WALKING, partner_of
from modules.replay.loops import loops
from modules.replay.markdown import anchor, heading, link, plain, quote, table
from modules.replay.names import Names, model_name
from modules.replay.output import progress, whole_file
from modules.replay.reader import Memory, RunReader, blocks
from modules.text import catalogue
from modules.world.talk import Talk

PLANNED, AGREED = "📝", "🤝"

DEPTH = 3
"""Levels of evidence that are told under a thought."""


def write_report(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Writes the diary of steps 1 to `last`, day by day, so that memory does not grow with the run."""
    report = Report(run, names, last)
    with whole_file(path) as file:
        for line in report.lines():
            file.write(line.encode() + b"\n")


class Report:
    """The diary's chapters, each as lines of Markdown."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        self.run = run
        self.names = names
        self.last = last
        self.lang = run.manifest.lang
        self.days = days_of(run, last)
        self.today = self.days[0] if len(self.days) == 1 else None

    def lines(self) -> Iterator[str]:
        yield from self.title()
        yield from self.contents()
        yield from self.residents()
        only_day = self.today
        for day in progress(self.days, "simulation.md", "day", len(self.days)):
            self.today = day
            yield from self.day(day)
        self.today = only_day
        yield from self.news()
        yield from self.repetitions()

    # front matter -------------------------------------------------------------------------

    def title(self) -> Iterator[str]:
        manifest = self.run.manifest
        world = self.names.world.name if self.names.world else manifest.world
        yield heading(1, self.say("title", world=world))
        yield ""
        yield self.say("what_this_is", run=manifest.name, start=self.when(manifest.start), end=self.when(self.run.moment(self.last)))
        yield ""
        yield from (f"- **{name}** {value}" for name, value in self._facts())
        yield ""
        if self.names.missing:
            yield quote(1, self.say("no_world", reason=self.names.missing))
            yield ""

    def _facts(self) -> Iterator[tuple[str, str]]:
        manifest = self.run.manifest
        calls = self.run.calls(0, self.last)
        fallbacks = sum(count.calls for count in calls if count.outcome == "fallback")
        yield self.say("fact_model"), plain(model_name(manifest))
        yield self.say("fact_time"), self.say("steps_of", steps=self.last, stride=manifest.stride)
        yield self.say("fact_seed"), str(manifest.seed)
        yield self.say("fact_calls"), self.say("calls", calls=sum(count.calls for count in calls), fallbacks=fallbacks)
        if self.last < self.run.planned_end():
            yield self.say("fact_state"), self.say("unfinished", end=self.run.planned_end())

    def contents(self) -> Iterator[str]:
        yield heading(2, self.say("contents"))
        yield ""
        yield f"- {link(self.say('residents'), 'residents')}"
        for day in self.days:
            yield f"- {link(self.date(day), anchor('day', day.isoformat()))}"
        yield f"- {link(self.say('news'), 'news')}"
        yield ""

    def residents(self) -> Iterator[str]:
        yield heading(2, self.say("residents"), "residents")
        yield ""
        for who in self.run.residents:
            yield heading(3, plain(self.names.person(who)))
            yield ""
            yield from self.resident(who)

    def resident(self, who: str) -> Iterator[str]:
        persona = self.names.persona(who)
        if persona:
            yield f"*{self.say('age_and_work', age=persona.age, occupation=persona.occupation)}*"
            yield ""
        if currently := self.run.currently(who, 0):
            yield plain(currently)
            yield ""
        if not persona:
            return
        for field in ("innate", "learned", "lifestyle", "daily_plan"):
            if text := getattr(persona, field):
                yield f"- **{self.say(field)}** {plain(text)}"
        known = {other: relation for other, relation in (persona.relations or {}).items() if other in self.run.residents}
        if known:
            items = (self.say("item", name=self.names.person(other), text=relation) for other, relation in known.items())
            yield f"- **{self.say('relations')}** {self.listed(items)}"
        yield ""

    # a day --------------------------------------------------------------------------------

    def day(self, day: date) -> Iterator[str]:
        first, last = steps_of(self.run, day, self.last)
        talks = [talk for talk in self.run.talks(first, last) if talk.started.date() == day]
        made = [one for one in self.run.memories(first, last, ("thought", "plan")) if one.concept.created.date() == day]
        lives = {who: stays(self.run, who, day, self.last, talks) for who in self.run.residents}
        yield heading(2, self.date(day), anchor("day", day.isoformat()))
        yield ""
        yield from self.glance(lives, talks, made)
        for who, life in lives.items():
            yield heading(3, plain(self.names.person(who)))
            yield ""
            yield from self.plans(one for one in made if one.who == who and one.concept.type == "plan")
            yield from (self.stay(stay, who) for stay in life)
            yield ""
        yield from self.talks(talks)
        yield from self.thoughts(sorted((one for one in made if one.concept.type == "thought"), key=lambda one: (one.concept.created, one.who)))

    def glance(self, lives: dict[str, list[Stay]], talks: Sequence[Talk], made: Sequence[Memory]) -> Iterator[str]:
        """The day in a table."""
        thoughts = Counter(one.who for one in made if one.concept.type == "thought")
        met = {who: Counter(partner_of(talk, who) for talk in talks if who in (talk.opener, talk.partner)) for who in lives}
        rows = []
        for who, life in lives.items():
            up = self.listed(f"{clock(start)}–{clock(end, start.date())}" for start, end in awake(life))
            talked = self.listed(f"{plain(self.names.person(other))}{f' ×{count}' if count > 1 else ''}" for other, count in met[who].most_common())
            place = plain(self.names.place(haunt(life)))
            rows.append([plain(self.names.person(who)), *(cell or "–" for cell in (up, place, talked, str(thoughts[who] or "")))])
        yield self.say("day_summary", talks=len(talks), thoughts=sum(thoughts.values()))
        yield ""
        yield from table([self.say(f"column_{name}") for name in ("name", "awake", "place", "talks", "thoughts")], rows)
        yield ""

    def plans(self, plans: Iterable[Memory]) -> Iterator[str]:
        """What somebody meant to do that day, and what was agreed in its talks."""
        for one in plans:
            emoji = AGREED if one.concept.talk else PLANNED
            yield quote(1, f"{emoji} {self.source(one) + ' · ' if one.concept.talk else ''}{plain(one.concept.text)}")
            yield ""

    def stay(self, stay: Stay, who: str) -> str:
        """One line: when, where, and what was done there, with the time of each but the first."""
        start, end = clock(stay.start), clock(stay.end, stay.start.date())
        first, *rest = (self.doing(doing, who) for doing in stay.doings)
        done = [first, *(f"*{clock(doing.start)}* {text}" for doing, text in zip(stay.doings[1:], rest, strict=True))]
        span = start if start == end else f"{start}–{end}"
        return f"- **{span}{self.say('comma')}{plain(self.names.place(stay.address))}** — {' · '.join(done)}"

    def doing(self, doing: Doing, who: str) -> str:
        if doing.talk:
            text = self.say("talk_with", name=self.names.person(partner_of(doing.talk, who)))
            return f"{TALKING} {link(text, anchor('talk', doing.talk.id))}"
        if doing.label == WALKING:
            return f"{WALKING} {self.say('on_the_way', place=self.names.place(doing.address))}"
        return plain(doing.label)

    def talks(self, talks: Sequence[Talk]) -> Iterator[str]:
        if not talks:
            return
        yield heading(3, self.say("conversations"))
        yield ""
        for talk in talks:
            people = self.say("two", one=self.names.person(talk.opener), other=self.names.person(talk.partner))
            place = plain(self.names.place(talk.address))
            yield heading(4, f"{clock(talk.started)} · {people} · {place}", anchor("talk", talk.id))
            yield ""
            for line in talk.lines:
                yield quote(1, f"**{self.say('speaker', name=self.names.person(line.speaker))}** {plain(line.text)}")
                yield quote(1, "")
            yield ""
            yield self.say("talk_summary", minutes=talk.minutes, summary=talk.summary)
            yield ""

    def thoughts(self, thoughts: Sequence[Memory]) -> Iterator[str]:
        """What came to mind, one reflection after the other, each thought with what it rests on."""
        if not thoughts:
            return
        yield heading(3, self.say("thoughts"))
        yield ""
        for (created, who), together in groupby(thoughts, key=lambda one: (one.concept.created, one.who)):
            yield f"**{clock(created)} · {plain(self.names.person(who))}**"
            yield ""
            for one in together:
                yield f"- {plain(one.concept.text)}"
                yield from self.evidence(one, 1, {one.concept.id})
            yield ""

    def evidence(self, thought: Memory, depth: int, told: set[int]) -> Iterator[str]:
        """What a thought rests on, and what that rests on, each told once under one thought."""
        for one in self.run.recall(thought.who, thought.concept.evidence):
            if one.concept.id in told:
                continue
            told.add(one.concept.id)
            text = "" if one.concept.type == "chat" else f": {plain(one.concept.text)}"
            yield f"{'  ' * depth}- {self.source(one)}{text}"
            if depth < DEPTH and not one.concept.talk:
                yield from self.evidence(one, depth + 1, told)

    def source(self, one: Memory) -> str:
        """When and how something came to be known; for what was said, a link to the talk."""
        talk = self.run.talk(one.concept.talk) if one.concept.talk else None
        if talk is None:
            return f"*{self.when(one.concept.created)}{self.say('comma')}{self.say(f'type_{one.concept.type}')}*"
        told = self.say("talk_with", name=self.names.person(partner_of(talk, one.who)))
        return link(f"{self.when(talk.started)}{self.say('comma')}{told}", anchor("talk", talk.id))

    # news -----------------------------------------------------------------------------------

    def news(self) -> Iterator[str]:
        """Who learnt what from whom in talks, by storyline, in order of time."""
        yield heading(2, self.say("news"), "news")
        yield ""
        learnt = [one for first, last in blocks(1, self.last, 200) for one in self.run.memories(first, last, ("event",)) if one.concept.talk]
        yield self.say("news_about" if learnt else "no_news")
        storylines = self.names.world.storylines if self.names.world else ()
        for story in storylines:
            about = [one for one in learnt if story.told_in(one.concept.text)]
            learnt = [one for one in learnt if one not in about]
            yield from self._spread(story.title, about)
        yield from self._spread(self.say("other_news") if storylines else "", learnt)

    def _spread(self, title: str, learnt: Sequence[Memory]) -> Iterator[str]:
        if not learnt:
            return
        yield ""
        if title:
            yield heading(3, plain(title))
            yield ""
        for one in learnt:
            talk = self.run.talk(one.concept.talk)
            teller = self.names.person(partner_of(talk, one.who)) if talk else "–"
            told = self.say("learnt", name=self.names.person(one.who), teller=teller)
            yield f"- {link(self.when(one.concept.created), anchor('talk', one.concept.talk))} · {told} {plain(one.concept.text)}"

    def repetitions(self) -> Iterator[str]:
        """Who says, does or thinks the same over and over; nothing where nobody does."""
        found = loops(self.run, self.last)
        if not found:
            return
        yield ""
        yield heading(2, self.say("repetitions"), "repetitions")
        yield ""
        yield self.say("repetitions_about")
        yield ""
        for one in found:
            yield "- " + self.say(f"repeats_{one.kind}", name=self.names.person(one.who), times=one.times, text=one.text)

    # words ----------------------------------------------------------------------------------

    def say(self, key: str, /, **values: object) -> str:
        """A text of the run's language, with values that may come from a model filled in as plain text."""
        return catalogue(self.lang, "report")[key].format(**{name: plain(str(value)) for name, value in values.items()})

    def listed(self, items: Iterable[str]) -> str:
        return self.say("list_separator").join(items)

    def date(self, day: date, key: str = "date") -> str:
        weekday = self.say("weekdays").split()[day.weekday()]
        month = self.say("months").split()[day.month - 1]
        return self.say(key, weekday=weekday, day=day.day, month=month, year=day.year)

    def when(self, moment: datetime) -> str:
        """A time of day, with the date where it isn't that of the day being told, or the only one."""
        return clock(moment) if moment.date() == self.today else f"{self.date(moment.date(), 'short_date')} {clock(moment)}"


def clock(moment: datetime, day: date | None = None) -> str:
    """Hours and minutes; midnight at the end of `day` is 24:00.

    >>> clock(datetime(2025, 2, 14), date(2025, 2, 13)), clock(datetime(2025, 2, 14))
    ('24:00', '00:00')
    """
    return hhmm(DAY) if day and moment == at_minute(day, DAY) else hhmm(minute_of_day(moment))
