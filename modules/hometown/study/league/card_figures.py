"""The figures of a card, from a run, the interviews about it and a run on the farmstead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hometown.bench.rules import RULES
from hometown.errors import BadRun
from hometown.history.hardship import hardship, read_levels
from hometown.history.held_goods import book_at
from hometown.history.life import life_of
from hometown.history.names import Names, model_name
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.model.stats import seconds_lived
from hometown.prompt.dialogue import UTTERANCE
from hometown.records import Call
from hometown.shares import Share, share_of
from hometown.society.minds.dealings import HUNGER
from hometown.storage.manifest import Manifest
from hometown.study.league.card import (
    LONGEST_LINE,
    MOST_LINES,
    Card,
    Farmstead,
    Hours,
    Source,
)
from hometown.study.league.decisions import DEFAULTS, is_departure
from hometown.study.league.limits import Limit, is_faulty, limits, list_judged, scored_reply
from hometown.world.conversation import Conversation
from hometown.world.intervention_time import MOMENT

UNCHECKED = ("unchecked", "declined")
"""Verdicts on answers in which there is nothing that a rule could check."""


COLON: dict[Lang, str] = {"en": ": ", "zh": "："}
"""The sign between a speaker and what they say."""


def measure_card(
    run: RunReader,
    source: Source,
    answers: Sequence[Mapping[str, Any]] = (),
    farmstead: Farmstead | None = None,
    memory: int | None = None,
) -> Card:
    """Return the card of a run up to its last step.

    Args:
        answers: The entries of the ledger of interviews.
        memory: The most bytes of this machine that it took.

    Raises:
        BadRun: The run has no steps, or its world cannot be read.
    """
    manifest, last = run.manifest, run.last_step()
    if not last:
        raise BadRun("run {name!r} has no steps to be compared", name=manifest.name)
    calls, held = list(run.run.calls()), run.conversations(1, last)
    judged = list_judged(calls)
    return Card(
        model=_name(manifest, source)[:120],
        source=source,
        hours=_hours(run, last),
        version=manifest.versions.get("hometown", "?"),
        missed=tuple(_list_missed(run, calls, held, last)),
        decisions=Share(
            sum(map(is_departure, calls)), sum(call.kind in DEFAULTS for call in calls)
        ),
        faults=share_of(judged, is_faulty),
        repetition=share_of(judged, lambda call: bool(RULES["repetition"](scored_reply(call)))),
        echo=share_of(judged, lambda call: bool(RULES["echo"](scored_reply(call)))),
        faulty_lines=share_of([call for call in judged if call.kind == UTTERANCE.kind], is_faulty),
        conversations=sum(len(conversation.people) for conversation in held),
        interviews=_count_held(answers),
        farmstead=farmstead,
        calls=len(calls),
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        cached_tokens=sum(each.cached_tokens for call in calls for each in call.attempts),
        reply_tokens=sum(call.reply_tokens for call in calls),
        seconds=None if source == "run" else seconds_lived(run.run.stats()),
        memory=memory,
        talk=_quote(held, Names.of(run)),
    )


def measure_farmstead(run: RunReader) -> Farmstead:
    """Return how the residents of a town with a society fared.

    Raises:
        BadRun: The rules of the society cannot be read.
    """
    last = run.last_step()
    book = book_at(run, Names.of(run), last)
    if book is None:
        raise BadRun("run {name!r} has no society whose survival counts", name=run.manifest.name)
    residents, urgent = len(run.manifest.residents), book.needs[HUNGER].urgent
    levels = [felt[HUNGER] for _, _, felt in read_levels(run, book, last)]
    return Farmstead(
        minutes=last * run.manifest.stride,
        standing=Share(residents - len(hardship(run, book, last).collapsed), residents),
        hungry=Share(sum(level < urgent for level in levels), len(levels)),
    )


def _count_held(answers: Sequence[Mapping[str, Any]]) -> Share | None:
    """Return the share of answers that hold, of those that a rule can check; None without any."""
    checked = [each["verdict"] for each in answers if each["verdict"] not in UNCHECKED]
    return Share(checked.count("supported"), len(checked)) if answers else None


def _name(manifest: Manifest, source: Source) -> str:
    """Return the name of a model; of a run beside the models, its own name first."""
    if source == "run":
        return f"{manifest.name}: {model_name(manifest)}"
    return public_name(manifest.llm)


def _hours(run: RunReader, last: int) -> Hours:
    manifest = run.manifest
    return Hours(
        world=manifest.world,
        lang=manifest.lang,
        residents=len(manifest.residents),
        start=f"{manifest.start:{MOMENT}}",
        minutes=last * manifest.stride,
        seed=manifest.seed,
        embedding=manifest.embedding,
    )


def _list_missed(
    run: RunReader, calls: Sequence[Call], held: Sequence[Conversation], last: int
) -> Iterator[Limit]:
    """Yield the limits of acceptance that a run has not met."""
    book = book_at(run, Names.of(run), last)
    fared = hardship(run, book, last) if book else None
    minutes = last * run.manifest.stride
    for limit in limits(calls, life_of(run), minutes, fared, held):
        if not limit.is_met:
            yield limit


def _quote(held: Sequence[Conversation], names: Names) -> tuple[str, ...]:
    """Return the first lines of the conversation in the middle, with their speakers."""
    if not held:
        return ()
    colon = COLON[names.world.lang if names.world else "en"]
    return tuple(
        f"{names.person(line.speaker)}{colon}{line.text}"[:LONGEST_LINE]
        for line in held[len(held) // 2].lines[:MOST_LINES]
    )
