"""The prompts for a relation and for a line of a conversation, and the variables and the reply of
the prompt that sums one up (`modules/hometown/prompt/conversation_summary.py`). Each speaker's
prompt contains that speaker's own mind only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    MOST_SETTLED,
    Keywords,
)
from hometown.prompt.line import OneLine
from hometown.prompt.mending import SAME, cut_into_sentences, is_exchanged, unrepeated
from hometown.prompt.plans import CLOCK
from hometown.prompt.prompt import Prompt, Reply, Row, Rule, Speech, Variables
from hometown.prompt.reactions import UNRATED, Neighbour
from hometown.prompt.trade import Dealings
from hometown.prompt.wording import days_from, fitting
from hometown.text import overlaps
from hometown.world.inner_voice import is_news
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.resident_names import given_name

RELATION_LENGTH, LINE_LENGTH, SUMMARY_LENGTH, NEWS_LENGTH, DOING_LENGTH = 160, 360, 420, 200, 100
"""Maximum lengths of texts, in English characters."""

NEWS_PASSED, COMMITMENTS, INTENTIONS, WISHES = 6, 4, 4, 2
"""Maximum number of pieces of news, of agreements, of a side's own intentions and of outcomes of its
wishes that come of one conversation.
"""

INTENTION_LENGTH, REASON_LENGTH, CONCERNS_LENGTH = 200, 90, 420
"""Maximum lengths of an intention, of the reason for the outcome of a wish, and of the words about
what is going on in a life, in English characters.
"""

MOST_PEOPLE = 6
"""Maximum number of participants of a conversation."""

PROMISE_DAYS = 31
"""Days, from today, for which an agreement can be made."""


@frozen
class Companion:
    """Another participant; `standing` is the speaker's relation to them, "" if they have never
    talked.
    """

    other: Neighbour
    standing: str = ""


@frozen
class DialogueLine:
    """A line that the speaker has heard, with the memories that it evoked first.

    `joining` is set if its speaker joined the conversation with it, `leaves` if they left with it.
    """

    speaker: str
    name: str
    text: str
    recalled: tuple[Concept, ...] = ()
    joining: Companion | None = None
    leaves: bool = False


# relation ----------------------------------------------------------------------------------


@frozen
class RelationVars(Variables):
    """Variables for summing up a relation; `before` is the last summary, "" before the first
    conversation.
    """

    other: Neighbour
    memories: tuple[Concept, ...]
    before: str


class RelationReply(Reply):
    """The resident's relation to another in a sentence or two."""

    summary: Annotated[str, OneLine(RELATION_LENGTH)] = Field(
        description="How I stand with the other and what I know of them, one or two sentences, third person."
    )


RELATION = Prompt(
    "relation",
    RelationVars,
    RelationReply,
    fallback=lambda v: RelationReply(
        summary=fitting(v.before or v.other.relation or v.other.name, RELATION_LENGTH)
    ),
    narrow=lambda v: {"summary": v.situation.text(RELATION_LENGTH)},
    persona="life",
    max_tokens=170,
    temperature=0.5,
)


SILENCE = "…"
"""The line of a speaker who has nothing to say."""


# utterance ---------------------------------------------------------------------------------


@frozen
class UtteranceVars(Variables):
    """Variables of a speaker's next line. All but `lines` stay the same throughout a conversation.

    `company` are the others at the speaker's first line, and `memories` those retrieved for it.
    `topic` is the speaker's own reason to talk, "" for none: another may have opened first. `lines` are the lines
    heard; from `closing` lines on, the speaker's next line is their last. `plan` is the rest of the
    day as (minute, activity), `free` its stretches without appointments as (start, end) in minutes,
    and `places` are known places to meet as (address, name). `dealings` are goods and prices, in a
    town with a society. `met_for` is the subject of the agreed meeting that the conversation opens.
    """

    company: tuple[Companion, ...]
    topic: str
    memories: tuple[Concept, ...]
    lines: tuple[DialogueLine, ...]
    closing: int
    plan: tuple[tuple[int, str], ...]
    free: tuple[tuple[int, int], ...]
    places: tuple[tuple[str, str], ...]
    dealings: Dealings | None = field(default=None, kw_only=True)
    met_for: str = field(default="", kw_only=True)

    @property
    def all_partners(self) -> tuple[Companion, ...]:
        """Return all others that the speaker has talked with, in the order in which they met."""
        return (*self.company, *(line.joining for line in self.lines if line.joining))

    @property
    def there(self) -> tuple[Companion, ...]:
        """Return the others who have not left."""
        gone = {line.speaker for line in self.lines if line.leaves}
        return tuple(one for one in self.all_partners if one.other.id not in gone)

    @property
    def facing(self) -> Companion:
        """Return the other who spoke last before the speaker, of those who are present; the first
        of them if none has spoken. Where all have left, all count as present.
        """
        there = {one.other.id: one for one in self.there} or {
            one.other.id: one for one in self.all_partners
        }
        return next(
            (there[line.speaker] for line in reversed(self.lines) if line.speaker in there),
            next(iter(there.values())),
        )

    @property
    def other(self) -> Neighbour:
        """Return the resident to whom the speaker turns, as they are perceived."""
        return self.facing.other

    @property
    def several(self) -> bool:
        """Return True if more than one other is present."""
        return len(self.there) > 1

    @property
    def last_round(self) -> bool:
        """Return True if this is the speaker's last line."""
        return len(self.lines) >= self.closing

    @property
    def last_line(self) -> bool:
        """Return True if this is the last line of the conversation."""
        return len(self.lines) >= self.closing + len(self.there)

    @property
    def in_mind(self) -> tuple[Concept, ...]:
        """Return all memories recalled in the conversation."""
        return (*self.memories, *(memory for line in self.lines for memory in line.recalled))


class UtteranceReply(Reply):
    """A line of dialogue, and whether it ends the conversation."""

    say: Annotated[str, OneLine(LINE_LENGTH)] = Field(
        description="What I say next, only the spoken words."
    )
    end: bool = Field(False, description="True if the conversation is over after this line.")


def repeats(say: str, own: Sequence[str], others: Sequence[str]) -> bool:
    """Return True if a line contains nothing new compared to earlier ones. A short line, such as a
    greeting, may return one of the others, but not one of the speaker's own.
    """
    heard = own if is_exchanged(say) else (*own, *others)
    return overlaps(say, heard, SAME) or not unrepeated(
        cut_into_sentences(say), known=_split_lines((*own, *others))
    )


def _split_lines(lines: Iterable[str]) -> list[str]:
    """Return the sentences of lines."""
    return [sentence for earlier in lines for sentence in cut_into_sentences(earlier)]


def _remove_known_sentences(v: UtteranceVars, reply: UtteranceReply) -> UtteranceReply:
    """Return a reply without sentences that were said before. A line without any other stays as it
    is.
    """
    new = unrepeated(
        cut_into_sentences(reply.say), known=_split_lines(earlier.text for earlier in v.lines)
    )
    say = "".join(new).rstrip() or reply.say
    return reply if say == reply.say else reply.model_copy(update={"say": say})


def _remove_speaker(v: UtteranceVars, reply: UtteranceReply) -> UtteranceReply:
    """Return a reply without the speaker's own name and a colon before the words, as in a script; a
    line of nothing else is a silence.
    """
    name = v.situation.me.name
    names = "|".join(map(re.escape, (name, given_name(name))))
    say = re.sub(rf"^(?:[*_]*(?:{names})[*_]*\s*[:：][*_]*\s*)+", "", reply.say)
    return reply if say == reply.say else reply.model_copy(update={"say": say or SILENCE})


def _say_bounds(v: UtteranceVars) -> Mapping[str, Keywords]:
    """Return the bounds of a line; the line that opens a conversation cannot end it."""
    return {"say": v.situation.text(LINE_LENGTH), "end": MAY_BE_LEFT_OUT if v.lines else LEFT_OUT}


UTTERANCE = Prompt(
    "utterance",
    UtteranceVars,
    UtteranceReply,
    fallback=lambda v: UtteranceReply(say=SILENCE, end=True),
    narrow=_say_bounds,
    mend=(Rule("speaker", _remove_speaker), Rule("repeats", _remove_known_sentences)),
    persona="life",
    max_tokens=200,
    temperature=0.9,
    speech=Speech("say", lambda v: v.other.id),
)


# talk_summary ------------------------------------------------------------------------------


@frozen
class ConversationSummaryVars(UtteranceVars):
    """Variables for each side's summary of a conversation.

    `people` are the participants that the speaker was there with, as (id, name), the opener first;
    `pronouns` are theirs. `recounts` asks for summary and agreements too, on behalf of all who
    heard the same. `sites` are further public places that were named, as (address, name).
    `together` are the activities that can have been agreed on; empty if the model words them.
    `open_intentions` are open ones of the speaker that did not come to mind in the conversation,
    and `errands` the coming acts of their plan that may be over now, as (minute, act).
    """

    people: tuple[tuple[str, str], ...]
    pronouns: tuple[tuple[str, ...], ...]
    place: str
    sites: tuple[tuple[str, str], ...]
    recounts: bool
    together: tuple[str, ...] = ()
    open_intentions: tuple[Concept, ...] = field(default=(), kw_only=True)
    errands: tuple[tuple[int, str], ...] = field(default=(), kw_only=True)

    @classmethod
    def after(cls, spoken: UtteranceVars, **more: Any) -> ConversationSummaryVars:
        """Return the variables after a conversation: those of the speaker's lines, without what only
        a next line is about, and `more`.
        """
        given = {part.name: getattr(spoken, part.name) for part in fields(spoken)}
        situation = replace(spoken.situation, present=(), walks=())
        return cls(**given | {"situation": situation}, **more)

    @property
    def days(self) -> tuple[date, ...]:
        """Return the days for which an agreement can be made, today first."""
        return days_from(self.situation.now, PROMISE_DAYS)

    @property
    def others(self) -> tuple[Companion, ...]:
        """Return the participants that the speaker talked with, in the order of `people`."""
        met = {one.other.id: one for one in self.all_partners}
        return tuple(met[who] for who, _ in self.people if who in met)

    @property
    def candidates_to_settle(self) -> tuple[Concept, ...]:
        """Return the memories that can be named as settled, numbered from 1; the errands follow."""
        return (*self.in_mind, *self.open_intentions)

    @property
    def wish_numbers(self) -> list[int]:
        """Return the numbers of the candidates that are wishes of inner voices."""
        candidates = enumerate(self.candidates_to_settle, 1)
        return [
            number
            for number, memory in candidates
            if memory.predicate == VOICE_PREDICATE and not is_news(memory.text)
        ]

    @property
    def numbered(self) -> tuple[tuple[str, str], ...]:
        """Return the places for agreements, to which numbers from 1 refer."""
        return (*self.places, *self.sites)


class Learnt(Row):
    """A piece of news that one heard in the conversation, and how much it matters."""

    what: Annotated[str, OneLine(NEWS_LENGTH)] = Field(
        description="The news itself, whole and on its own, third person."
    )
    weight: int = Field(UNRATED, ge=1, le=10)


class WishResult(Row):
    """The result of a wish in the conversation, with the reason; `number` is that of its memory."""

    number: int
    how: Literal["done", "refused"]
    why: Annotated[str, OneLine(REASON_LENGTH)] = Field(
        description="Why, in one clause: what was said or done."
    )


class Commitment(Reply):
    """Something that was agreed on; `where` is the number of a place, 0 for here, and `then` that of
    the place to which they go on together from there, 0 if they stay; `who` are the numbers of those
    who agreed, from 1, empty for all. `parts` are the words of each of those, or else of each of the
    participants, for what they do, if these differ from `what`.
    """

    what: Annotated[str, OneLine(DOING_LENGTH)]
    parts: list[str] = Field(default_factory=list, max_length=MOST_PEOPLE)
    where: int = 0
    then: int = 0
    day: date
    start: str = Field(pattern=CLOCK)
    minutes: int = Field(60, ge=5, le=480)
    who: list[int] = Field(default_factory=list)


class ConversationSummaryReply(Reply):
    """The outcome of a conversation for one participant. Of participants who heard the same, one
    sums it up and lists the agreements.
    """

    summary: Annotated[str, OneLine(SUMMARY_LENGTH, 0)] = Field(
        "", description="What was said, two sentences that keep names, times and places."
    )
    relations: list[str] = Field(
        description="How I stand with each of the others now, one sentence each, third person."
    )
    closer: list[int] = Field(
        default_factory=list,
        description="For each of the others, how the conversation was between us: 1 good, 0 as ever, -1, -2.",
    )
    weight: int = Field(
        UNRATED, ge=1, le=10, description="How much the conversation matters to me."
    )
    learnt: list[Learnt] = Field(default_factory=list, max_length=NEWS_PASSED)
    commitments: list[Commitment] = Field(default_factory=list, max_length=COMMITMENTS)
    intentions: list[Annotated[str, OneLine(INTENTION_LENGTH)]] = Field(
        default_factory=list,
        max_length=INTENTIONS,
        description="What I alone have promised to do, bring or tell, third person.",
    )
    settled: list[int] = Field(
        default_factory=list,
        max_length=MOST_SETTLED,
        description="Numbers of the memories shown that are now done or no longer true.",
    )
    concerns: Annotated[str, OneLine(CONCERNS_LENGTH, 0)] = Field(
        "",
        description="What is going on in my life, if the conversation has changed it, third person.",
    )
    wishes: list[WishResult] = Field(
        default_factory=list,
        max_length=WISHES,
        description="Wishes shown that were carried out or refused in the conversation, and why.",
    )
