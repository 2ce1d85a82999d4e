"""The front page of the town's newspaper for one day, written by rule and without a model.

A grave event leads, or else a gathering; then come the news of the town, the most widespread first; then conversations,
the most important first, with each resident at most once. Headlines are made of facts alone; speech
and thoughts are quoted verbatim. Articles are in the reader's language, quotes and summaries in the
run's. The paper prints no secret: no text that calls itself one, in the words by which residents
keep it from all but their closest, no conversation in which one of them asked to keep a matter
private, and nothing about a storyline that its author has given a
resident in such words.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import combinations

from hometown.clock import TICK_SECONDS, format_time
from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.diary import days_of
from hometown.history.familiar import Mentions, by_pronoun
from hometown.history.gazette_columns import list_coming, list_figures, list_threads
from hometown.history.gazette_issue import Issue
from hometown.history.playback import HappeningSpan
from hometown.history.spread import (
    Learning,
    Topic,
    Visit,
    authored_pairs,
    measure_attendance,
)
from hometown.history.topics import HappeningTopic
from hometown.language import Lang
from hometown.scripted.words import bare
from hometown.text import nest_quotes
from hometown.world import keys
from hometown.world.befalling import course_of
from hometown.world.conversation import Conversation
from hometown.world.happening_process import DAMAGE_KEY
from hometown.world.incidents import UnfoldingHappening
from hometown.world.world import Gathering, Storyline

MEETINGS, THOUGHTS = 3, 3
"""Maximum numbers of meetings and of thoughts."""

GRAVE = 6
"""Poignancy for a resident who saw it from which an event has an article."""

WIDELY = 0.5
"""Share of the town from which on a headline says that the town knows."""


def gazette(archive: Archive, lang: Lang, day: date) -> shapes.Gazette:
    """Return the front page of one day of the run, in a language."""
    return _FrontPage(archive, lang, day).page()


class _FrontPage(Issue):
    """The front page of an issue."""

    def page(self) -> shapes.Gazette:
        """Return the front page: its head, articles, thoughts and columns at the side."""
        days = days_of(self.run, self.run.last_step())
        return {
            "title": self.say("title", world=self.own_names.world_name(self.run.manifest)),
            "day": self.day.isoformat(),
            "days": [other.isoformat() for other in days],
            "number": days.index(self.day) + 1,
            "articles": [
                *self.events(),
                *self.gatherings(),
                *self.cancelled(),
                *self.news(),
                *self.meetings(),
            ],
            "thoughts": list(self.thoughts()),
            "notices": [
                {
                    "tick": event["tick"],
                    "text": self.say("planted", text=event["text"])
                    if event["planted"]
                    else event["text"],
                    "address": event["address"],
                }
                for event in self.happenings
            ],
            "coming": list(list_coming(self)),
            "threads": list(list_threads(self)),
            "market": self.archive.workdays.market(self.day, self.lang, self.last),
            "figures": list(list_figures(self)),
        }

    # articles -----------------------------------------------------------------------------

    def events(self) -> Iterator[shapes.Article]:
        """Yield an article for each event that has a poignancy of at least `GRAVE` for a resident
        who saw it; the damage that one has left is none.
        """
        damages = {span.event.identity for span in self.spans if self._is_damage(span)}
        for event in self.happenings:
            if (event["address"], event["text"]) in damages:
                continue
            topic = HappeningTopic(event["text"], self.run.manifest.lang)
            memories = [
                memory
                for memory in self.run.memories(self.first, self.last, ("event",))
                if topic.is_mentioned_in(memory.concept.text)
            ]
            seen = [memory for memory in memories if not memory.concept.talk]
            if any(memory.concept.poignancy >= GRAVE for memory in seen):
                witnesses = list(dict.fromkeys(memory.who for memory in seen))
                told = [each.who for each in memories if each.who not in witnesses]
                yield self.event(event, topic, witnesses, list(dict.fromkeys(told)))

    def _is_damage(self, span: HappeningSpan) -> bool:
        return course_of(span.event, self.run.manifest.lang).key == DAMAGE_KEY

    def outcome(self, event: shapes.HappeningView) -> Iterator[str]:
        """Yield sentences on an event: if the director has planted it, how it ended, thanks to whom,
        and what it left behind.
        """
        if event["planted"]:
            yield self.say("planted_event")
        span = next(
            span
            for span in self.spans
            if span.event.identity == (event["address"], event["text"])
            and self.run.first_tick(span.begun) == event["tick"]
        )
        if span.ended is None or span.ended > self.last:
            yield self.say("goes_on")
            return
        by = span.event.by if isinstance(span.event, UnfoldingHappening) else ()
        time = format_time(self.run.moment(span.ended - 1))
        yield self.say(
            "ended_by" if by else "ended", names=self.people(by) if by else "", time=time
        )
        for other in self.spans:
            if self._is_damage(other) and other.begun == span.ended:
                yield self.say("left_behind", text=bare(other.event.text))

    def event(
        self, event: shapes.HappeningView, topic: Topic, witnesses: list[str], hearers: list[str]
    ) -> shapes.Article:
        """Return an article on an event, with the best line said about it afterwards."""
        talks = [talk for talk in self.talks if self.run.tick(talk.started) >= event["tick"]]
        quoted = ((talk, self.quote(talk.lines, topic)) for talk in talks)
        talk, quote = next((each for each in quoted if each[1]), (None, None))
        groups = {"witnesses": witnesses, "told_of_it": hearers}
        return self.article(
            "event",
            witnesses,
            event["tick"],
            event["address"],
            talk,
            headline=bare(event["text"]),
            deck=self.say(
                "meeting_deck",
                place=self.place(event["address"]),
                time=format_time(
                    self.run.manifest.start + timedelta(seconds=event["tick"] * TICK_SECONDS)
                ),
            ),
            text=self.between.join(
                [
                    *self.outcome(event),
                    *(self.say(key, names=self.people(ids)) for key, ids in groups.items() if ids),
                ]
            ),
            lang=self.lang,
            quote=quote,
        )

    def gatherings(self) -> Iterator[shapes.Article]:
        """Yield an article for each gathering of a public storyline that has begun on the day."""
        for story, learned in self.archive.public:
            meeting = story.gathering
            if (
                meeting
                and meeting.start.date() == self.day
                and self.run.moment(self.last) > meeting.start
            ):
                yield self.gathering(story, meeting, learned)

    def cancelled(self) -> Iterator[shapes.Article]:
        """Yield an article for each gathering of a public storyline that was to be on the day and was
        called off.
        """
        for story, _ in self.archive.public:
            occasion = self.run.row(keys.OCCASION.of(story.id), self.last)
            if occasion and occasion.fate == "called off" and occasion.start.date() == self.day:
                yield self.article(
                    "gathering",
                    list(occasion.hosts),
                    self.run.tick(occasion.start),
                    occasion.address,
                    headline=self.say("called_off", story=self.title(story)),
                    deck=self.say(
                        "gathering_deck",
                        place=self.place(occasion.address),
                        time=format_time(occasion.start),
                        hosts=self.people(occasion.hosts),
                    ),
                    text=occasion.why,
                    lang=self.run.manifest.lang,
                )

    def gathering(
        self, story: Storyline, meeting: Gathering, learned: list[Learning]
    ) -> shapes.Article:
        """Return an article on a gathering: the guests, those who passed by and those who stayed
        away, with the best line said there.
        """
        people = measure_attendance(self.run, self.names, story, meeting, learned, self.last)
        occasion = self.run.row(keys.OCCASION.of(story.id), self.last)
        has_failed = occasion is not None and occasion.fate == "fell through"
        stand_ins = [who for who in occasion.hosts if who not in people.hosts] if occasion else []
        groups = {
            "came": [visit.who for visit in people.came],
            "chanced_by": [visit.who for visit in people.chanced_by],
            "stayed_away": people.stayed_away,
        }
        hosts = self.people(people.hosts) if people.hosts else self.place(meeting.place)
        return self.article(
            "gathering",
            [*people.hosts, *groups["came"]],
            self.run.tick(meeting.start),
            meeting.place,
            headline=self.say(
                "fell_through" if has_failed else "gathering" if people.came else "gathering_alone",
                story=self.title(story),
                count=len(people.came),
            ),
            deck=self.say(
                "gathering_deck",
                place=self.place(meeting.place),
                time=format_time(meeting.start),
                hosts=hosts,
            ),
            text=self.between.join(
                [
                    *([self.say("host_missing", hosts=hosts)] if has_failed else []),
                    *([self.say("stood_in", names=self.people(stand_ins))] if stand_ins else []),
                    *self.arrivals(people.came),
                    *(self.say(key, names=self.people(ids)) for key, ids in groups.items() if ids),
                ]
            ),
            lang=self.lang,
            quote=self.said_at(story, meeting),
        )

    def arrivals(self, came: list[Visit]) -> Iterator[str]:
        """Yield a sentence on the first and the last guest, if they did not come at the same time."""
        visits = sorted(came, key=lambda visit: visit.arrived)
        began, ended = (format_time(visits[at].arrived) if visits else "" for at in (0, -1))
        if began != ended:
            first, last = (self.names.person(visits[at].who) for at in (0, -1))
            yield self.say("arrivals", first=first, began=began, last=last, ended=ended)

    def said_at(self, story: Storyline, meeting: Gathering) -> shapes.Quote | None:
        """Return the best line that was said about a gathering while it lasted."""
        lines = [
            line
            for talk in self.talks
            if talk.address == meeting.place and meeting.start <= talk.started < meeting.end
            for line in talk.lines
        ]
        return self.quote(lines, story)

    def news(self) -> list[shapes.Article]:
        """Return an article for each storyline of which a resident was told today, the most
        widespread first.
        """
        told = []
        for story, learned in self.archive.public:
            today = [
                each
                for each in learned
                if each.teller and self.is_today(self.run.tick(each.memory.concept.created))
            ]
            by_now = [
                each for each in learned if self.run.tick(each.memory.concept.created) < self.end
            ]
            if today:
                told.append((len(today), self.write_news(story, today, len(by_now))))
        return [article for _, article in sorted(told, key=lambda each: -each[0])]

    def write_news(self, story: Storyline, today: list[Learning], known: int) -> shapes.Article:
        """Return an article on a storyline of which residents learned today, and that `known` of
        all know by now.
        """
        everybody = len(self.run.residents)
        if known == everybody:
            key = "all_know"
        elif known >= WIDELY * everybody:
            key = "many_know"
        else:
            key = "word"
        talk = self.run.conversation(today[0].memory.concept.talk)
        is_private = self.archive.is_confidential(talk)
        point = today[0].memory.concept.text
        quote = self.quote(talk.lines, story, point=point) if talk and not is_private else None
        first = today[0].memory
        return self.article(
            "news",
            [today[0].teller, first.who],
            self.run.tick(first.concept.created),
            talk.address if talk else "",
            talk,
            headline=self.say(key, story=self.title(story)),
            deck=self.say("news_deck", count=len(today), known=known, all=everybody),
            text=self.between.join(self.trace(today)),
            lang=self.lang,
            quote=quote,
        )

    def trace(self, today: list[Learning]) -> Iterator[str]:
        """Yield sentences on who told a storyline first today, to whom, and who heard it later."""
        first, others = today[0], [each.memory.who for each in today[1:]]
        talk = self.run.conversation(first.memory.concept.talk)
        if talk is None:
            yield self.say("heard", names=self.people([each.memory.who for each in today]))
            return
        yield self.say(
            "told",
            teller=self.names.person(first.teller),
            name=self.names.person(first.memory.who),
            place=self.place(talk.address),
            time=format_time(talk.started),
        )
        if later := [who for who in dict.fromkeys(others) if who != first.memory.who]:
            yield self.say("told_on", names=self.people(later))

    def meetings(self) -> Iterator[shapes.Article]:
        """Yield the most important conversations about other subjects, with each resident at most
        once.
        """
        written: set[str] = set()
        for moment in self.archive.moments:
            if (
                moment["kind"] != "conversation"
                or written & {*moment["who"]}
                or not self.is_printable(moment)
            ):
                continue
            talk = self.run.conversation(moment["conversation"])
            if not talk or self.archive.is_confidential(talk):
                continue
            if len(written) < 2 * MEETINGS:
                written |= {*moment["who"]}
                yield self.meeting(talk, is_grave=moment["weight"] >= GRAVE)

    def meeting(self, talk: Conversation, *, is_grave: bool) -> shapes.Article:
        """Return an article on a conversation. Its headline is the consequence, or the best line
        if there was none; that two met is one only of a talk that is not grave.
        """
        quote = self.quote(talk.lines, point=talk.summary)
        headline_quote = self.quote(talk.lines, sentences=1, point=talk.summary)
        agreed = self.agreement(talk)
        names = self.people(talk.people)
        if agreed:
            key = "agreement"
        elif self.are_strangers(talk) and not (is_grave and headline_quote):
            key = "strangers"
        else:
            key = ""
        if key:
            headline = self.say(key, names=names, what=agreed)
        elif headline_quote:
            headline = self.say("line", line=nest_quotes(headline_quote["text"]))
        else:
            headline = self.say("meeting", names=names)
        speaker = "" if key or not headline_quote else headline_quote["speaker"]
        return self.article(
            "encounter",
            list(talk.people),
            self.run.tick(talk.started),
            talk.address,
            talk,
            headline=headline,
            deck=self.say(
                "line_deck" if speaker else "meeting_deck",
                names=names,
                speaker=self.names.person(speaker),
                place=self.place(talk.address),
                time=format_time(talk.started),
            ),
            text=Mentions(self.archive.day_stories.given).shorten(talk.summary),
            lang=self.run.manifest.lang,
            quote=None if speaker else quote,
        )

    def agreement(self, talk: Conversation) -> str:
        """Return what was first agreed on in a conversation and may be printed; "" if nothing was."""
        rows = self.run.versions(
            keys.PROMISES.of(talk.people[0]), talk.step, min(talk.step + 2, self.last)
        )
        made = {each for _, row in rows for each in (row.items if row else ())}
        return next(
            (
                each.what
                for each in sorted(made, key=lambda each: each.start)
                if each.talk == talk.id and not self.archive.is_secret(each.what)
            ),
            "",
        )

    def are_strangers(self, talk: Conversation) -> bool:
        """Return True if the first two participants had neither known each other nor talked before;
        False without a world.
        """
        known = authored_pairs(self.run, self.names)
        heads = self.run.conversation_heads(talk.people[0], talk.step)
        known |= {
            frozenset(pair)
            for head in heads
            if head.started < talk.started
            for pair in combinations(head.people, 2)
        }
        return bool(self.names.world) and frozenset(talk.people[:2]) not in known

    def thoughts(self) -> Iterator[shapes.Article]:
        """Yield the most important reflections, at most one of each resident."""
        written: set[str] = set()
        for moment in self.archive.moments:
            who = moment["who"][0]
            if (
                moment["kind"] == "reflection"
                and who not in written
                and len(written) < THOUGHTS
                and self.is_printable(moment)
            ):
                written.add(who)
                yield self.article(
                    "thought",
                    [who],
                    moment["tick"],
                    moment["address"],
                    headline=self.names.person(who),
                    text=self.print_thought(who, moment["text"]),
                    lang=self.run.manifest.lang,
                )

    def print_thought(self, who: str, text: str) -> str:
        """Return a thought for print: it stands under its owner's name, so that it begins with
        their pronoun.
        """
        given = self.archive.day_stories.given
        text = Mentions(given, [who]).shorten(by_pronoun(self.names, who, text))
        return text[:1].upper() + text[1:]
