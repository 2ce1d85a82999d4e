"""Prompts for conversations. Each speaker's prompt holds only that speaker's mind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import Field

from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, line, one_of, text
from hometown.prompt.mending import SAME, sentences, unrepeated
from hometown.prompt.noticing import Neighbour
from hometown.prompt.planning import CLOCK
from hometown.prompt.prompt import Prompt, Reply, Rule, Speech, Variables
from hometown.prompt.wording import fitting
from hometown.text import overlap

RELATION_LENGTH, LINE_LENGTH, SUMMARY_LENGTH, NEWS_LENGTH, DOING_LENGTH = 300, 360, 600, 200, 100
"""Characters of texts, in English."""

BY_DAY = "^(09|1[0-9]|20):[03]0$"
"""The pattern of a time at which nobody sleeps, for models that know none."""

NEWS_PASSED, COMMITMENTS = 6, 2
"""Pieces of news and agreements of one conversation, at most."""


@dataclass(frozen=True, slots=True)
class DialogueLine:
    """A line that both have heard."""

    speaker: str
    name: str
    text: str


# relation ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RelationVars(Variables):
    """`before` is the last summary, "" at the first talk."""

    other: Neighbour
    memories: tuple[Concept, ...]
    before: str


class RelationReply(Reply):
    summary: str = Field(pattern=line(RELATION_LENGTH), description="How I stand with the other and what I know of them, one or two sentences, third person.")


RELATION = Prompt(
    "relation", RelationVars, RelationReply,
    fallback=lambda v: RelationReply(summary=fitting(v.before or v.other.relation or v.other.name, RELATION_LENGTH)),
    narrow=lambda v: {"summary": v.situation.text(RELATION_LENGTH)},
    max_tokens=170, temperature=0.5,
)  # fmt: skip


# utterance ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UtteranceVars(Variables):
    """`memories` were retrieved from the speaker's own stream for what is being talked about.

    `topic` is why the talk was begun, known to the one who began it only. `plan` is the rest of the
    speaker's day as (minute, activity); `free` those stretches of it that are promised to nobody, as (start, end) minutes;
    `places` are the public places it knows, as (address, name). `round` counts from 0.
    """

    other: Neighbour
    relation: str
    topic: str
    memories: tuple[Concept, ...]
    lines: tuple[DialogueLine, ...]
    round: int
    last_round: bool
    plan: tuple[tuple[int, str], ...]
    free: tuple[tuple[int, int], ...]
    places: tuple[tuple[str, str], ...]


class UtteranceReply(Reply):
    say: str = Field(pattern=line(LINE_LENGTH), description="What I say next, only the spoken words.")
    end: bool = Field(False, description="True if the conversation is over after this line.")


def repeats(say: str, lines: Sequence[str]) -> bool:
    """Whether a line says nothing that has not been said in earlier ones."""
    return any(overlap(say, earlier) >= SAME for earlier in lines) or not unrepeated(sentences(say), known=_heard(lines))


def _heard(lines: Iterable[str]) -> list[str]:
    return [sentence for earlier in lines for sentence in sentences(earlier)]


def _say_what_is_new(v: UtteranceVars, reply: UtteranceReply) -> UtteranceReply:
    """The line without sentences that either has said already; a line with nothing else stays, and ends the conversation."""
    new = unrepeated(sentences(reply.say), known=_heard(earlier.text for earlier in v.lines))
    return reply.model_copy(update={"say": "".join(new).rstrip()}) if new else reply


def _say_bounds(v: UtteranceVars) -> Mapping[str, Keywords]:
    """Nobody ends a conversation with the line that opens it."""
    return {"say": v.situation.text(LINE_LENGTH), **({} if v.lines else {"end": one_of([False])})}


UTTERANCE = Prompt(
    "utterance", UtteranceVars, UtteranceReply,
    fallback=lambda v: UtteranceReply(say="…", end=True),
    narrow=_say_bounds, mend=(Rule("repeats", _say_what_is_new),),
    max_tokens=200, temperature=0.9,
    untemplated=frozenset({"round"}), speech=Speech("say", lambda v: v.other.id),
)  # fmt: skip


# talk_summary ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConversationSummaryVars(Variables):
    """Asked once for both, so it holds nothing but what both heard and see. `people` are (id, name) of the two.

    `pronouns` are those of each, in the same order; `places` are (address, name) of the public places
    that the one who began knows; `days` are those on which the two can have agreed to meet, today first. `together` is what they can have
    agreed to do, to choose from; empty where the model words it.
    """

    other: str
    people: tuple[tuple[str, str], ...]
    pronouns: tuple[tuple[str, ...], ...]
    place: str
    days: tuple[date, ...]
    lines: tuple[DialogueLine, ...]
    places: tuple[tuple[str, str], ...]
    together: tuple[str, ...] = ()


class Learnt(Reply):
    """A piece of news that passed from one to the other."""

    who: int = Field(description="Number of the one who learnt it.")
    what: str = Field(pattern=line(NEWS_LENGTH), description="The news itself, whole and on its own, third person.")


class Commitment(Reply):
    """Something that both agreed to do; `where` is the number of a place, 0 for none."""

    what: str = Field(pattern=line(DOING_LENGTH))
    where: int = 0
    day: date
    start: str = Field(pattern=CLOCK)
    minutes: int = Field(60, ge=5, le=480)


class ConversationSummaryReply(Reply):
    summary: str = Field(pattern=line(SUMMARY_LENGTH), description="What was said, two or three sentences that keep names, times and places.")
    learnt: list[Learnt] = Field(default_factory=list, max_length=NEWS_PASSED)
    commitments: list[Commitment] = Field(default_factory=list, max_length=COMMITMENTS)


def _who_where_when(v: ConversationSummaryVars) -> Mapping[str, Keywords]:
    return {
        "summary": v.situation.text(SUMMARY_LENGTH),
        "learnt[].who": between(1, len(v.people)),
        "learnt[].what": v.situation.text(NEWS_LENGTH),
        "commitments[].what": one_of(v.together) if v.together else text(v.situation.lang, DOING_LENGTH),
        "commitments[].start": {"pattern": BY_DAY if v.together else CLOCK},
        "commitments[].where": between(0, len(v.places)),
        "commitments[].day": one_of([day.isoformat() for day in v.days]),
    }


def _each_once(_: ConversationSummaryVars, reply: ConversationSummaryReply) -> ConversationSummaryReply:
    """Nobody learns what the other learns in the same conversation, and nothing is agreed on twice."""
    learnt = unrepeated(reply.learnt, lambda news: news.what)
    return reply.model_copy(update={"learnt": learnt, "commitments": unrepeated(reply.commitments, lambda commitment: commitment.what)})


def _transcript(v: ConversationSummaryVars) -> ConversationSummaryReply:
    return ConversationSummaryReply(summary=fitting(" ".join(f"{line.name}: {line.text}" for line in v.lines), SUMMARY_LENGTH))


CONVERSATION_SUMMARY = Prompt(
    "talk_summary", ConversationSummaryVars, ConversationSummaryReply,
    fallback=_transcript, narrow=_who_where_when, mend=(Rule("merged", _each_once),),
    max_tokens=1200, temperature=0.3, persona=False, untemplated=frozenset({"other"}),
)  # fmt: skip
