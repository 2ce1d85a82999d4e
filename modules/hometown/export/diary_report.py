"""A run as `simulation.md`: a diary of the town, in the run's language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby
from pathlib import Path

from hometown.clock import format_time
from hometown.export.diary_preface import HABITUAL, Preface
from hometown.export.diary_wording import Wording
from hometown.export.meetings import MeetingsChapter
from hometown.export.news_chapter import NewsChapter
from hometown.files import atomic_write
from hometown.history.day_narrator import Sentence
from hometown.history.day_story import DayStories
from hometown.history.diary import (
    Doing,
    Stay,
    awake,
    conversations_on,
    main_place,
    memories_on,
    stays,
)
from hometown.history.director_hand import MOVE_NAMES, list_director_moves
from hometown.history.entities import OwnedMemory
from hometown.history.familiar import Mentions
from hometown.history.frames import TALKING, WALKING
from hometown.history.habitual import habitual_activities
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.recounts import tell_summary
from hometown.history.workday import Workdays
from hometown.markdown import (
    Markdown,
    anchor,
    format_table,
    heading,
    join_nodes,
    link,
    literal,
    quote,
)
from hometown.memory.type_names import type_name
from hometown.progress_bar import progress
from hometown.text import translate
from hometown.world.conversation import Conversation

PLANNED, AGREED = "📝", "🤝"

MAX_EVIDENCE_DEPTH = 3
"""Maximum number of levels of evidence listed under a thought."""


def write_diary(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Write the diary of steps 1 to `last`, day by day, so that memory does not grow with the
    run.
    """
    report = DiaryReport(run, names, last)
    with atomic_write(path) as file:
        for line in report.lines():
            file.write(line.encode() + b"\n")


class DiaryReport(Wording):
    """The diary's chapters, each as lines of Markdown."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        super().__init__(run, names, last)
        self.workdays = Workdays(run, names)
        self.stories = DayStories(run, names, last)
        self.between_sentences = Markdown("" if run.manifest.lang == "zh" else " ")
        self.habits = {
            who: habitual_activities(run.manifest, names.world, who) for who in run.residents
        }

    def lines(self) -> Iterator[Markdown]:
        """Yield the whole diary: preface, each day, news and meetings. Shows progress by day."""
        yield from Preface(self.run, self.names, self.last).lines()
        only_day = self.today
        for day in progress(self.days, "simulation.md", "day", len(self.days)):
            self.today = day
            yield from self.day(day)
        self.today = only_day
        yield from NewsChapter(self.run, self.names, self.last).lines()
        yield from MeetingsChapter(self.run, self.names, self.last).lines()

    # a day --------------------------------------------------------------------------------

    def lives(self, day: date, conversations: Sequence[Conversation]) -> dict[str, list[Stay]]:
        """Return the stays of each resident on a day, given its conversations."""
        return {
            who: stays(
                self.run,
                who,
                day,
                self.last,
                conversations,
                self.workdays.list_begun_work(who, day, self.last),
            )
            for who in self.run.residents
        }

    def story(
        self, who: str, day: date, life: Sequence[Stay], conversations: Sequence[Conversation]
    ) -> Iterator[Markdown]:
        """Yield the paragraphs of a resident's day, the last one about their work if there is
        anything to tell.
        """
        for paragraph in self.stories.tell(who, day, life, conversations):
            yield join_nodes(self.between_sentences, map(self.sentence, paragraph))
            yield Markdown()
        if sentences := self.workdays.of(who, day):
            yield join_nodes(self.between_sentences, sentences)
            yield Markdown()

    def day(self, day: date) -> Iterator[Markdown]:
        """Yield the chapter of a day: an overview, each resident's story, work and timetable, then
        the conversations and the thoughts.
        """
        conversations = conversations_on(self.run, day, self.last)
        made = memories_on(self.run, day, self.last, ("thought", "plan"))
        lives = self.lives(day, conversations)
        yield heading(2, self.date(day), anchor("day", day.isoformat()))
        yield Markdown()
        yield from self.glance(lives, conversations, made)
        for who, life in lives.items():
            yield heading(3, self.names.person(who))
            yield Markdown()
            yield from self.story(who, day, life, conversations)
            plans = [
                memory for memory in made if memory.who == who and memory.concept.type == "plan"
            ]
            yield from self.timetable(who, life, plans)
        yield from self.conversations(conversations)
        thoughts = (memory for memory in made if memory.concept.type == "thought")
        yield from self.thoughts(
            sorted(thoughts, key=lambda memory: (memory.concept.created, memory.who))
        )

    def timetable(
        self, who: str, life: Sequence[Stay], plans: Sequence[OwnedMemory]
    ) -> Iterator[Markdown]:
        """Yield a resident's plans and stays, folded up."""
        yield Markdown("<details><summary>{}</summary>").format(self.say("timetable"))
        yield Markdown()
        yield from self.plans(plans)
        yield from (self.stay(stay, who) for stay in life)
        yield Markdown()
        yield Markdown("</details>")
        yield Markdown()

    def glance(
        self,
        lives: dict[str, list[Stay]],
        conversations: Sequence[Conversation],
        made: Sequence[OwnedMemory],
    ) -> Iterator[Markdown]:
        """Yield the day as a table with a row for each resident: hours awake, main place, partners
        of conversations with their number, and number of thoughts; before it, the sums of the day.
        """
        thoughts = Counter(memory.who for memory in made if memory.concept.type == "thought")
        rows = []
        for who, life in lives.items():
            up = self.join_names(
                f"{format_time(start)}–{format_time(end, start.date())}"
                for start, end in awake(life)
            )
            met = Counter(
                other
                for conversation in conversations
                if who in conversation.people
                for other in conversation.others(who)
            )
            talked = self.join_names(
                f"{self.names.person(other)}{f' ×{count}' if count > 1 else ''}"
                for other, count in met.most_common()
            )
            cells = (up, self.names.place(main_place(life)), talked, str(thoughts[who] or ""))
            rows.append([self.names.person(who), *(cell or "–" for cell in cells)])
        yield self.say(
            "day_summary", conversations=len(conversations), thoughts=sum(thoughts.values())
        )
        yield Markdown()
        yield from self.director_moves()
        yield from format_table(
            [
                self.say(f"column_{name}")
                for name in ("name", "awake", "place", "conversations", "thoughts")
            ],
            rows,
        )
        yield Markdown()

    def director_moves(self) -> Iterator[Markdown]:
        """Yield a paragraph for each thing that the director has planted on the present day."""
        for move in list_director_moves(self.run):
            if move.when.date() != self.today or move.when >= self.run.moment(self.last):
                continue
            is_letter = move.kind == "letter"
            line = self.say(
                "director_move",
                time=format_time(move.when),
                kind=translate(MOVE_NAMES[move.kind], self.run.manifest.lang),
                where=self.names.person(move.target)
                if is_letter
                else self.names.place(move.target),
                text=move.text,
            )
            reason = self.say("director_reason", why=move.why) if move.why else Markdown()
            yield join_nodes(Markdown(), [line, reason])
            yield Markdown()

    def sentence(self, sentence: Sentence) -> Markdown:
        """Return a sentence of a day's story, linked to the conversation that it tells."""
        text = literal(sentence.text)
        if not sentence.conversation or not sentence.link:
            return text
        words = literal(sentence.link)
        return Markdown(
            text.replace(words, self.link_conversation(words, sentence.conversation), 1)
        )

    def link_conversation(self, text: str, conversation: str) -> Markdown:
        """Return a text as a link to the conversation with this id."""
        return link(text, anchor("conversation", conversation))

    def plans(self, plans: Iterable[OwnedMemory]) -> Iterator[Markdown]:
        """Yield a resident's plans for the day, and their agreements in conversations."""
        for memory in plans:
            source = [self.source(memory)] if memory.concept.talk else []
            yield quote(
                1,
                Markdown("{} {}").format(
                    AGREED if source else PLANNED, join_nodes(" · ", [*source, memory.concept.text])
                ),
            )
            yield Markdown()

    def stay(self, stay: Stay, who: str) -> Markdown:
        """Return one line: time, place unless it is out of town, and the activities there, with the
        time of each but the first.
        """
        start = format_time(stay.start)
        end = format_time(stay.end, stay.start.date())
        first, *rest = (self.doing(doing, who) for doing in stay.doings)
        done = [
            first,
            *(
                Markdown("*{}* {}").format(format_time(doing.start), text)
                for doing, text in zip(stay.doings[1:], rest, strict=True)
            ),
        ]
        span = start if start == end else f"{start}–{end}"
        where = [] if stay.doings[0].is_away else [self.names.place(stay.address)]
        return Markdown("- **{}** — {}").format(
            join_nodes(self.say("comma"), [span, *where]), join_nodes(" · ", done)
        )

    def doing(self, doing: Doing, who: str) -> Markdown:
        """Return an activity: a conversation with a link to it, a walk with its destination, or the
        label, marked if the activity is one of the resident's habits.
        """
        if doing.conversation:
            text = self.say(
                "conversation_with", name=self.names.people(doing.conversation.others(who))
            )
            return Markdown("{} {}").format(
                TALKING, self.link_conversation(text, doing.conversation.id)
            )
        if doing.label == WALKING:
            return Markdown("{} {}").format(
                WALKING, self.say("on_the_way", place=self.names.place(doing.address))
            )
        if doing.activity in self.habits[who]:
            return literal(f"{doing.label} {HABITUAL}")
        return literal(doing.label)

    def conversations(self, conversations: Sequence[Conversation]) -> Iterator[Markdown]:
        """Yield each conversation with its lines, comings and goings, and summary; nothing without
        conversations.
        """
        if not conversations:
            return
        yield heading(3, self.say("conversations"))
        yield Markdown()
        for conversation in conversations:
            title = f"{format_time(conversation.started)} · {self.head_of(conversation)}"
            yield heading(4, title, anchor("conversation", conversation.id))
            yield Markdown()
            yield from self.conversation(conversation)

    def head_of(self, conversation: Conversation) -> str:
        """Return the names of those who took part in a conversation, and its place."""
        people = self.names.people(conversation.people)
        return f"{people} · {self.names.place(conversation.address)}"

    def conversation(self, conversation: Conversation) -> Iterator[Markdown]:
        """Yield the lines of a conversation, comings and goings, and its summary."""
        for number, line in enumerate(conversation.lines):
            yield from self.comings(conversation, number)
            yield quote(
                1,
                Markdown("**{}** {}").format(
                    self.say("speaker", name=self.names.person(line.speaker)), line.text
                ),
            )
            yield quote(1, "")
        yield Markdown()
        summary = tell_summary(conversation, self.stories.given, self.run.manifest.lang)
        yield self.say("conversation_summary", minutes=conversation.minutes, summary=summary)
        yield Markdown()

    def comings(self, conversation: Conversation, number: int) -> Iterator[Markdown]:
        """Yield the residents who joined a conversation, or left it, before a line of it other than
        the first.
        """
        for key, who in (
            (key, one.who)
            for one in conversation.presences
            for key, at in (("comes", one.came), ("leaves", one.left))
            if at == number > 0
        ):
            yield quote(1, Markdown("*{}*").format(self.say(key, name=self.names.person(who))))
            yield quote(1, "")

    def thoughts(self, thoughts: Sequence[OwnedMemory], level: int = 3) -> Iterator[Markdown]:
        """Yield reflections in order, under the time and the name of the resident, each thought
        with its evidence; nothing without thoughts. `level` is that of the heading.
        """
        if not thoughts:
            return
        yield heading(level, self.say("thoughts"))
        yield Markdown()
        for (created, who), together in groupby(
            thoughts, key=lambda memory: (memory.concept.created, memory.who)
        ):
            yield Markdown("**{} · {}**").format(self.when(created), self.names.person(who))
            yield Markdown()
            for memory in together:
                named = Mentions(self.stories.given, [who])
                yield Markdown("- {}").format(named.shorten(memory.concept.text))
                yield from self.evidence(memory, 1, {memory.concept.id})
            yield Markdown()

    def evidence(self, thought: OwnedMemory, depth: int, listed: set[int]) -> Iterator[Markdown]:
        """Yield the evidence of a thought, recursively, down to `MAX_EVIDENCE_DEPTH` levels; each
        memory is listed once under one thought, a chat without its text, and the evidence of
        memories from conversations is left out.
        """
        for memory in self.run.recall(thought.who, thought.concept.evidence):
            if memory.concept.id in listed:
                continue
            listed.add(memory.concept.id)
            parts = (
                [self.source(memory)]
                if memory.concept.type == "chat"
                else [self.source(memory), memory.concept.text]
            )
            yield Markdown("  " * depth + "- {}").format(join_nodes(": ", parts))
            if depth < MAX_EVIDENCE_DEPTH and not memory.concept.talk:
                yield from self.evidence(memory, depth + 1, listed)

    def source(self, memory: OwnedMemory) -> Markdown:
        """Return the time and kind of a memory; for one from a conversation, a link to that."""
        conversation = self.run.conversation(memory.concept.talk) if memory.concept.talk else None
        if conversation is None:
            kind = type_name(memory.concept.type, self.run.manifest.lang)
            return Markdown("*{}{}{}*").format(
                self.when(memory.concept.created), self.say("comma"), kind
            )
        partner = self.say(
            "conversation_with", name=self.names.people(conversation.others(memory.who))
        )
        text = Markdown("{}{}{}").format(
            self.when(conversation.started), self.say("comma"), partner
        )
        return self.link_conversation(text, conversation.id)
