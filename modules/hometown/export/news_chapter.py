"""The chapters of the diary on the news that residents learned in conversations, with the
attendance at gatherings, and on repetitions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property

from hometown.clock import format_time
from hometown.export.diary_wording import Wording
from hometown.history.entities import OwnedMemory
from hometown.history.familiar import GivenNames, Mentions
from hometown.history.loops import loops
from hometown.history.ranges import blocks
from hometown.history.spread import GuestVisit, knowers, measure_attendance, teller_of
from hometown.markdown import Markdown, anchor, heading, link
from hometown.scripted.clauses import split_source
from hometown.world.conversation import Conversation
from hometown.world.world import Gathering, Storyline


def _find_line(memory: OwnedMemory, talk: Conversation | None) -> str:
    """Return the line that a resident overheard; the whole memory if its wording differs."""
    lines = talk.lines if talk else ()
    return next(
        (
            line.text
            for line in lines
            if line.speaker == memory.concept.subject and line.text in memory.concept.text
        ),
        memory.concept.text,
    )


class NewsChapter(Wording):
    """The chapters on news and on repetitions, as lines of Markdown."""

    @cached_property
    def short_names(self) -> GivenNames:
        """The given names of the residents."""
        return GivenNames(self.names, self.run.residents)

    def lines(self) -> Iterator[Markdown]:
        """Yield the news that residents learned in conversations, in order of time: for each
        storyline, with its gathering, the news that mention it and no storyline before it; then all
        other news, and the repetitions.
        """
        yield heading(2, self.say("news"), "news")
        yield Markdown()
        learned = [
            memory
            for first, last in blocks(1, self.last, 200)
            for memory in self.run.memories(first, last, ("event",))
            if memory.concept.talk
        ]
        yield self.say("news_about" if learned else "no_news")
        storylines = self.names.storylines
        for story in storylines:
            about = [memory for memory in learned if story.is_mentioned_in(memory.concept.text)]
            learned = [
                memory for memory in learned if not story.is_mentioned_in(memory.concept.text)
            ]
            gathering = (
                list(self._describe_gathering(story, story.gathering)) if story.gathering else []
            )
            yield from self._tell_spread(story.title, about, gathering)
        yield from self._tell_spread(self.say("other_news") if storylines else "", learned)
        yield from self._list_repetitions()

    def _tell_spread(
        self, title: str, learned: Sequence[OwnedMemory], gathering: Sequence[Markdown] = ()
    ) -> Iterator[Markdown]:
        """Yield the news under a title ("" for none), and the lines about a gathering below them;
        nothing if there is neither.
        """
        if not learned and not gathering:
            return
        yield Markdown()
        if title:
            yield heading(3, title)
            yield Markdown()
        for said, memories in self._group_by_line(learned).values():
            yield (
                self._describe_overhearing(said, memories)
                if said
                else self._describe_learning(memories[0])
            )
        yield from [Markdown(), *gathering] if learned and gathering else gathering

    def _group_by_line(
        self, learned: Sequence[OwnedMemory]
    ) -> dict[Hashable, tuple[str, list[OwnedMemory]]]:
        """Group memories in their order: those of one line that several residents overheard
        together, with that line; each other one by itself, with "".
        """
        told: dict[Hashable, tuple[str, list[OwnedMemory]]] = {}
        for memory in learned:
            talk = memory.concept.talk
            said = (
                _find_line(memory, self.run.conversation(talk))
                if memory.concept.predicate == "overhear"
                else ""
            )
            told.setdefault(
                (talk, memory.concept.subject, said) if said else (memory.who, memory.concept.id),
                (said, []),
            )[1].append(memory)
        return told

    def _describe_learning(self, memory: OwnedMemory) -> Markdown:
        """Return the entry of a memory that a resident learned in a conversation: time, teller and
        the memory's text, in which these two have their given names, and the teller is no source.
        """
        talk = self.run.conversation(memory.concept.talk)
        who = teller_of(memory, talk) if talk else ""
        teller = self.names.person(who) if who else "–"
        learnt = self.say("learnt", name=self.names.person(memory.who), teller=teller)
        text, source = split_source(memory.concept.text, self.run.manifest.lang)
        text = text if source == teller else memory.concept.text
        text = Mentions(self.short_names, [memory.who, who]).shorten(text)
        return Markdown("{}{}").format(self._begin_item(memory), self.label(learnt, text))

    def _describe_overhearing(self, said: str, memories: Sequence[OwnedMemory]) -> Markdown:
        """Return one entry for all residents who overheard the same line."""
        names = self.join_names(self.names.person(memory.who) for memory in memories)
        overheard = self.say(
            "overheard",
            names=names,
            teller=self.names.person(memories[0].concept.subject),
            line=said,
        )
        return Markdown("{}{}").format(self._begin_item(memories[0]), overheard)

    def _begin_item(self, memory: OwnedMemory) -> Markdown:
        """Return the start of a list item: the time of a memory, as a link to its conversation."""
        return Markdown("- {} · ").format(
            link(self.when(memory.concept.created), anchor("conversation", memory.concept.talk))
        )

    def _describe_gathering(self, story: Storyline, gathering: Gathering) -> Iterator[Markdown]:
        """Yield time, place, state and hosts of a storyline's gathering; before it begins, the
        residents who know of it; from then on, those who came and who chanced by, and once it is
        over, those who knew of it and stayed away.
        """
        people = measure_attendance(
            self.run, self.names, story, gathering, knowers(self.run, story, self.last), self.last
        )
        state = Markdown() if people.state == "over" else self.say(people.state.replace(" ", "_"))
        span = Markdown("{}–{}").format(self.when(gathering.start), format_time(gathering.end))
        at = self.say("gathering_at", place=self.names.place(gathering.place), span=span)
        yield Markdown("**{}** {}{}").format(self.say("gathering"), at, state)
        yield Markdown()
        yield self._format_item("hosts", self._join_people(people.hosts))
        if people.state == "to come":
            yield self._format_item("know_of_it", self._join_people(people.knew))
            return
        yield self._format_item("came", self._join_visits(people.came))
        yield self._format_item("chanced_by", self._join_visits(people.chanced_by))
        if people.state == "over":
            yield self._format_item("stayed_away", self._join_people(people.stayed_away))

    def _format_item(self, key: str, text: Markdown) -> Markdown:
        return Markdown("- **{}** {}").format(self.say(key), text)

    def _join_people(self, ids: Sequence[str]) -> Markdown:
        return self.join_names(self.names.person(who) for who in ids) or self.say("nobody")

    def _join_visits(self, visits: Sequence[GuestVisit]) -> Markdown:
        return self.join_names(
            self.say("visit", name=self.names.person(visit.who), minutes=visit.minutes)
            for visit in visits
        ) or self.say("nobody")

    def _list_repetitions(self) -> Iterator[Markdown]:
        """Yield the repetitions in speech, actions and thoughts; nothing where there are none."""
        repeated = loops(self.run, self.last)
        if not repeated:
            return
        yield Markdown()
        yield heading(2, self.say("repetitions"), "repetitions")
        yield Markdown()
        yield self.say("repetitions_about")
        yield Markdown()
        for loop in repeated:
            repeated_text = self.say(
                f"repeats_{loop.kind}",
                name=self.names.person(loop.who),
                times=loop.times,
                text=loop.text,
            )
            yield Markdown("- {}").format(repeated_text)
