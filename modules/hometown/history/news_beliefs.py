"""The table of beliefs: which resident holds which claim, from whom, by which channel, and whether
the town bears it out.

Claims are the storylines of the world, the happenings of the run, and the words of inner voices,
notes and letters. A resident holds a claim from their first memory of it by each channel on. Of words,
only those to whom they came are listed, as the run records it: in other words they are not recognised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Literal

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.frozen import frozen
from hometown.history.channels import Channel, find_channels
from hometown.history.names import Names
from hometown.history.occasions import list_occasions
from hometown.history.playback import HappeningSpan, happening_spans, is_damage
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, Topic
from hometown.history.topics import ExactWords, find_changes, make_happening_topic
from hometown.memory.concept import Concept
from hometown.world import keys
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.occasion import Occasion
from hometown.world.world import Storyline

ClaimKind = Literal["storyline", "happening", "voice", "note"]

Truth = Literal["true", "over", "held", "not held", "moved", "changed", "open"]
"""The verdict of the town's state on a belief. true: it bears it out, or the occasion is to come.
over: it did, until the subject of the claim ended. held, not held: the occasion of the claim has taken
place, or was called off, fell through, or nobody came. moved: it is to come at another place or hour.
changed: the memory has times, numbers or people that its source did not have. open: nothing in the
state shows it.
"""

SOURCES: tuple[Channel, ...] = ("start", "injected")
"""The channels by which residents know of a claim before anybody has told them."""

WORDED_CLAIMS: dict[str, ClaimKind] = {VOICE_PREDICATE: "voice", NOTE_PREDICATE: "note"}
"""The kinds of claims that are memories' own words, by the predicate of the memory."""


@frozen
class Claim:
    """A claim, and whether the town bears it out after the last step that is read."""

    kind: ClaimKind
    text: str
    topic: Topic
    truth: Truth


@frozen
class NewsBelief:
    """A belief of a resident.

    Attributes:
        step: The step of the memory.
        teller: The resident from whom they have it; "" for none.
        changed: The facts in the memory that its source did not have.
    """

    who: str
    claim: Claim
    channel: Channel
    teller: str
    step: int
    memory: Concept
    changed: tuple[str, ...]

    @property
    def truth(self) -> Truth:
        """Return the verdict of the town's state on the belief."""
        return "changed" if self.changed else self.claim.truth


def list_beliefs(run: RunReader, names: Names, last: int) -> Iterator[NewsBelief]:
    """Yield the beliefs that residents hold after step `last`, by claim, the earliest first. Those
    who know of it from the start, or by an intervention, are its sources: it does not return to
    them.
    """
    claims = list_claims(run, names, last)
    found = find_channels(run, [claim.topic for claim in claims], last)
    for claim, events in zip(claims, found, strict=True):
        sources = {event.memory.who for event in events if event.channel in SOURCES}
        events = [
            event for event in events if event.channel in SOURCES or event.memory.who not in sources
        ]
        learned = [Learning(event.memory, event.teller) for event in events]
        changes = find_changes(run, names, claim.topic, learned)
        for event, changed in zip(events, changes, strict=True):
            memory = event.memory
            yield NewsBelief(
                memory.who,
                claim,
                event.channel,
                event.teller,
                memory.step,
                memory.concept,
                tuple(changed),
            )


def list_claims(run: RunReader, names: Names, last: int) -> list[Claim]:
    """Return the claims of a run up to step `last`."""
    told = list_claims_to_tell(run, names, last)
    return [*told, *_list_words(run, told, last)]


def list_claims_to_tell(run: RunReader, names: Names, last: int) -> list[Claim]:
    """Return the claims that are recognised in any words: storylines and happenings."""
    return [*_list_storylines(run, names, last), *_list_happenings(run, names, last)]


def judge_topic(run: RunReader, names: Names, topic: Topic, last: int) -> Truth:
    """Return whether the town bears out a topic after step `last`; "open" for one that is no claim."""
    claims = list_claims_to_tell(run, names, last)
    return next((claim.truth for claim in claims if claim.topic == topic), "open")


def _list_storylines(run: RunReader, names: Names, last: int) -> Iterator[Claim]:
    """Yield the claims of storylines, which the state shows only where they have an occasion."""
    for story in names.storylines:
        yield Claim("storyline", story.title, story, _judge_storyline(run, story, last))


def _judge_storyline(run: RunReader, story: Storyline, last: int) -> Truth:
    if occasion := run.row(keys.OCCASION.of(story.id), last):
        return _judge_occasion(occasion, run.moment(last))
    if story.gathering is None:
        return "open"
    return "over" if run.moment(last) >= story.gathering.end else "true"


def _judge_occasion(occasion: Occasion, now: datetime) -> Truth:
    """Return whether an occasion has taken place, or is to come as announced."""
    if occasion.fate in ("called off", "fell through"):
        return "not held"
    if now < occasion.end:
        return "moved" if occasion.fate == "moved" else "true"
    return "held" if occasion.came else "not held"


def _list_happenings(run: RunReader, names: Names, last: int) -> Iterator[Claim]:
    """Yield the claims that something happens, each text once, in its latest state, without the
    damage that an accident leaves: residents tell of both as one.
    """
    spans: dict[str, HappeningSpan] = {
        span.event.text: span
        for span in happening_spans(run)
        if span.begun <= last and not is_damage(span.event, run.manifest.lang)
    }
    for text, span in spans.items():
        goes_on = span.ended is None or span.ended > last
        topic = make_happening_topic(span.event, run.manifest.lang, names)
        yield Claim("happening", text, topic, "true" if goes_on else "over")


def _list_words(run: RunReader, shown: Sequence[Claim], last: int) -> Iterator[Claim]:
    """Yield the claims in the words of inner voices, notes and letters, each text once. They are as
    true as the first claim that they mention and the state shows, or else as the occasion that
    they name; of anything else the state shows nothing.
    """
    texts = {
        memory.concept.text: WORDED_CLAIMS[memory.concept.predicate]
        for memory in run.memories(1, last)
        if memory.concept.predicate in WORDED_CLAIMS
    }
    if not texts:
        return
    agreed = [each for each in list_occasions(run, last) if not each.story]
    for text, kind in texts.items():
        verdicts = (
            *(claim.truth for claim in shown if claim.topic.is_mentioned_in(text)),
            *(
                _judge_occasion(occasion, run.moment(last))
                for occasion in agreed
                if occasion.what.casefold() in text.casefold()
            ),
        )
        truth: Truth = next((verdict for verdict in verdicts if verdict != "open"), "open")
        yield Claim(kind, text, ExactWords(text), truth)
