"""Prompts for conversations. Each speaker's prompt holds only that speaker's mind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from pydantic import Field

from modules.memory.concept import Concept
from modules.prompt.noticing import Neighbour
from modules.prompt.planning import CLOCK, LINE
from modules.prompt.prompt import Prompt, Reply, Variables
from modules.prompt.wording import fitting


@dataclass(frozen=True, slots=True)
class Said:
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
    summary: str = Field(
        pattern=r"^[^\x00-\x1f]{1,300}$", description="How I stand with the other and what I know of them, one or two sentences, third person."
    )


RELATION = Prompt(
    "relation", RelationVars, RelationReply,
    fallback=lambda v: RelationReply(summary=fitting(v.before or v.other.relation or v.other.name, 300)),
    max_tokens=140, temperature=0.5,
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
    lines: tuple[Said, ...]
    round: int
    last_round: bool
    plan: tuple[tuple[int, str], ...]
    free: tuple[tuple[int, int], ...]
    places: tuple[tuple[str, str], ...]


class UtteranceReply(Reply):
    say: str = Field(pattern=r"^[^\x00-\x1f]{1,400}$", description="What I say next, only the spoken words.")
    end: bool = Field(False, description="True if the conversation is over after this line.")


UTTERANCE = Prompt(
    "utterance", UtteranceVars, UtteranceReply,
    fallback=lambda v: UtteranceReply(say="…", end=True),
    max_tokens=160, temperature=0.9,
)  # fmt: skip


# talk_summary ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TalkSummaryVars(Variables):
    """Asked once for both, so it holds nothing but what both heard and see. `people` are (id, name) of the two.

    `pronouns` are those of each, in the same order; `places` are (address, name) of the public places
    that the one who began knows.
    """

    other: str
    people: tuple[tuple[str, str], ...]
    pronouns: tuple[tuple[str, ...], ...]
    place: str
    day: date
    lines: tuple[Said, ...]
    places: tuple[tuple[str, str], ...]


class Learnt(Reply):
    """A piece of news that passed from one to the other."""

    who: str = Field(description="Id of the one who learnt it.")
    what: str = Field(pattern=r"^[^\x00-\x1f]{1,300}$", description="The news itself, whole and on its own, third person.")


class Commitment(Reply):
    """Something that both agreed to do."""

    what: str = Field(pattern=LINE)
    who: list[str] = Field(min_length=1, max_length=8, description="Ids of those who promised it.")
    where: str = Field("", description="Address of the place, one of those listed, or empty.")
    day: date = Field(description="The date, as YYYY-MM-DD.")
    start: str = Field(pattern=CLOCK)
    minutes: int = Field(60, ge=5, le=480)


class TalkSummaryReply(Reply):
    summary: str = Field(pattern=r"^[^\x00-\x1f]{1,600}$", description="What was said, two or three sentences that keep names, times and places.")
    learnt: list[Learnt] = Field(default_factory=list, max_length=8)
    commitments: list[Commitment] = Field(default_factory=list, max_length=4)


def _transcript(v: TalkSummaryVars) -> TalkSummaryReply:
    return TalkSummaryReply(summary=fitting(" ".join(f"{line.name}: {line.text}" for line in v.lines), 600))


TALK_SUMMARY = Prompt(
    "talk_summary", TalkSummaryVars, TalkSummaryReply,
    fallback=_transcript, max_tokens=500, temperature=0.3, persona=False,
)  # fmt: skip
