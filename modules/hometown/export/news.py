"""The last chapters of the diary: how news spread, who attended gatherings, and who repeats themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hometown.export.markdown import anchor, heading, link, plain
from hometown.export.wording import Wording, clock
from hometown.history.entities import Memory
from hometown.history.loops import loops
from hometown.history.reader import blocks
from hometown.history.spread import Visit, attendance, knowers, teller_of
from hometown.world.conversation import Conversation
from hometown.world.world import Gathering, Storyline


def _is_overheard(memory: Memory) -> bool:
    return memory.concept.predicate == "overhear"


def _line_of(memory: Memory, talk: Conversation | None) -> str:
    """The line that somebody overheard; the whole memory where it was worded otherwise."""
    lines = talk.lines if talk else ()
    return next((line.text for line in lines if line.speaker == memory.concept.subject and line.text in memory.concept.text), memory.concept.text)


class News(Wording):
    def lines(self) -> Iterator[str]:
        """Who learnt what from whom in conversations, by storyline, in order of time."""
        yield heading(2, self.say("news"), "news")
        yield ""
        learned = [memory for first, last in blocks(1, self.last, 200) for memory in self.run.memories(first, last, ("event",)) if memory.concept.talk]
        yield self.say("news_about" if learned else "no_news")
        storylines = self.names.world.storylines if self.names.world else ()
        for story in storylines:
            about = [memory for memory in learned if story.is_mentioned_in(memory.concept.text)]
            learned = [memory for memory in learned if not story.is_mentioned_in(memory.concept.text)]
            gathering = list(self._gathering(story, story.gathering)) if story.gathering else []
            yield from self._spread(story.title, about, gathering)
        yield from self._spread(self.say("other_news") if storylines else "", learned)
        yield from self._repetitions()

    def _spread(self, title: str, learned: Sequence[Memory], gathering: Sequence[str] = ()) -> Iterator[str]:
        if not learned and not gathering:
            return
        yield ""
        if title:
            yield heading(3, plain(title))
            yield ""
        told = [(memory, self.run.conversation(memory.concept.talk)) for memory in learned]
        yield from dict.fromkeys(self._overheard(learned, memory, talk) if _is_overheard(memory) else self._learnt(memory, talk) for memory, talk in told)
        yield from ["", *gathering] if learned and gathering else gathering

    def _learnt(self, memory: Memory, talk: Conversation | None) -> str:
        teller = self.names.person(teller_of(memory, talk)) if talk else "–"
        return self._link(memory) + self.say("learnt", name=self.names.person(memory.who), teller=teller) + " " + plain(memory.concept.text)

    def _overheard(self, learned: Sequence[Memory], memory: Memory, talk: Conversation | None) -> str:
        """All who overheard the same line, in one."""
        said = _line_of(memory, talk)
        alike = [each.who for each in learned if each.concept.talk == memory.concept.talk and _is_overheard(each) and _line_of(each, talk) == said]
        return self._link(memory) + self.say("overheard", names=self._people(alike), teller=self.names.person(memory.concept.subject), line=said)

    def _link(self, memory: Memory) -> str:
        return f"- {link(self.when(memory.concept.created), anchor('conversation', memory.concept.talk))} · "

    def _gathering(self, story: Storyline, gathering: Gathering) -> Iterator[str]:
        """Where and when a storyline's gathering is, and who came."""
        people = attendance(self.run, self.names, story, gathering, knowers(self.run, story, self.last), self.last)
        state = "" if people.state == "over" else self.say(people.state.replace(" ", "_"))
        span = f"{self.when(gathering.start)}–{clock(gathering.end)}"
        yield f"**{self.say('gathering')}** {self.say('gathering_at', place=self.names.place(gathering.place), span=span)}{state}"
        yield ""
        yield f"- **{self.say('hosts')}** {self._people(people.hosts)}"
        if people.state == "to come":
            yield f"- **{self.say('know_of_it')}** {self._people(people.knew)}"
            return
        yield f"- **{self.say('came')}** {self._visits(people.came)}"
        yield f"- **{self.say('chanced_by')}** {self._visits(people.chanced_by)}"
        if people.state == "over":
            yield f"- **{self.say('stayed_away')}** {self._people(people.stayed_away)}"

    def _people(self, ids: Sequence[str]) -> str:
        return self.listed(plain(self.names.person(who)) for who in ids) or self.say("nobody")

    def _visits(self, visits: Sequence[Visit]) -> str:
        return self.listed(self.say("visit", name=self.names.person(visit.who), minutes=visit.minutes) for visit in visits) or self.say("nobody")

    def _repetitions(self) -> Iterator[str]:
        """Who says, does or thinks the same repeatedly; nothing where nobody does."""
        repeated = loops(self.run, self.last)
        if not repeated:
            return
        yield ""
        yield heading(2, self.say("repetitions"), "repetitions")
        yield ""
        yield self.say("repetitions_about")
        yield ""
        for loop in repeated:
            yield "- " + self.say(f"repeats_{loop.kind}", name=self.names.person(loop.who), times=loop.times, text=loop.text)
