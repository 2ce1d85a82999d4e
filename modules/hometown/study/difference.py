"""The first difference between two runs, and its cause.

The digest of a step is chained to those before it, so two runs that agree in one step have agreed
in all before it, and the first step in which they differ is found by bisection. Model calls are not
part of the digest: a thought can differ before any deed does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, Literal

from hometown.config import keys
from hometown.frozen import frozen
from hometown.model.routing import public_name
from hometown.records import Call
from hometown.settings import RunSettings
from hometown.storage.codec import encode
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from hometown.world.effects import Logged
from hometown.world.incidents import Intervened
from hometown.world.interventions import summarize

CauseKind = Literal[
    "founding", "intervention", "model", "seed", "reply", "setting", "version", "unknown"
]
"""founding: the towns began differently. intervention: the user intervened in one of them. model,
seed: another model, or the same with another seed, answered the same prompt differently. reply: the
same model did, with the same seed. setting: prompts differ, and so do settings. version: only the
version of the program differs. unknown: no record explains it.
"""

FOUNDED = ("world", "lang", "start", "stride", "residents")
"""Fields of the manifest that are fixed when a town begins."""


@frozen
class ValuePair:
    """A value in the `first` run and in the `second`, "" for a run without it."""

    what: str
    first: str
    second: str


@frozen
class Difference:
    """The first difference of two runs: `step` is the first that differs, None if there is none up
    to the end of the shorter run.

    `common` is the last step that both have. `deed` is the first different effect of that step,
    `thought` the first different reply, in `thought_step`. `evidence` are the changes that show the
    cause.
    """

    common: int
    step: int | None = None
    cause: CauseKind = "unknown"
    evidence: tuple[ValuePair, ...] = ()
    deed: ValuePair | None = None
    thought: ValuePair | None = None
    thought_step: int | None = None


def find_first_difference(first: RunFile, second: RunFile) -> Difference:
    """Return the first difference of two runs with its cause, and the first different effect and
    reply; one without a step if they agree up to the end of the shorter run.
    """
    ours, theirs = first.digests(), second.digests()
    common = min(len(ours), len(theirs)) - 1
    step = bisect_left(range(common + 1), True, key=lambda at: ours[at] != theirs[at])
    if step > common:
        return Difference(common)
    cause, evidence = _find_cause(first, second, step)
    thought = _find_first_reply(first, second, step)
    return Difference(
        common,
        step,
        cause,
        evidence,
        _find_first_effect(first, second, step),
        thought[1] if thought else None,
        thought[0] if thought else None,
    )


def manifest_changes(first: Manifest, second: Manifest) -> list[ValuePair]:
    """Return the differences in the manifests of two runs: how their towns begin, seed, embedding,
    engine, model, settings, and the versions of world and program.
    """
    named = [
        (name, getattr(first, name), getattr(second, name))
        for name in (*FOUNDED, "seed", "embedding", "engine")
    ]
    named += [("model", public_name(first.llm), public_name(second.llm))]
    named += [
        (f"version of {name}", first.versions.get(name, ""), second.versions.get(name, ""))
        for name in ("world", "hometown")
    ]
    named += [
        (name, _read_setting(first, name), _read_setting(second, name))
        for name, _ in keys(RunSettings)
    ]
    return [
        ValuePair(name, str(ours), str(theirs)) for name, ours, theirs in named if ours != theirs
    ]


def _find_cause(
    first: RunFile, second: RunFile, step: int
) -> tuple[CauseKind, tuple[ValuePair, ...]]:
    """Return the cause of the first difference, in `step`, and the changes that show it. Causes are
    tried in this order: founding (in step 0, always), intervention, another engine with the same
    seed and model, another reply to the same prompt (by another model, by another seed or by
    neither), settings or any other change of the manifest, seed, version; otherwise it is unknown.
    """
    changes = manifest_changes(first.manifest, second.manifest)
    if step == 0:
        return "founding", tuple(
            change for change in changes if change.what in (*FOUNDED, "version of world")
        )
    if interventions := tuple(_list_interventions(first, second, step)):
        return "intervention", interventions
    named = {change.what: change for change in changes}
    versions = tuple(
        change for change in changes if change.what in ("engine", "version of hometown")
    )
    if "engine" in named and not {"seed", "model"} & named.keys():
        return "version", versions  # another engine asks and acts otherwise, whatever the reply
    for ours, theirs in _pair_calls(first, second, step):
        if ours and theirs and _has_same_prompt(ours, theirs) and ours.reply != theirs.reply:
            replies = _pair_replies(ours, theirs)
            if ours.model != theirs.model:
                models = ValuePair("model", public_name(ours.model), public_name(theirs.model))
                return "model", (models, replies)
            return ("seed", (named["seed"], replies)) if "seed" in named else ("reply", (replies,))
    settings = tuple(
        change
        for change in changes
        if change.what not in ("seed", "model", "engine", "version of hometown")
    )
    if settings:
        return "setting", settings
    if "seed" in named:
        return "seed", (named["seed"],)
    return ("version", versions) if versions else ("unknown", tuple(changes))


def _list_interventions(first: RunFile, second: RunFile, step: int) -> Iterator[ValuePair]:
    """Yield the user's interventions in this step that only one of the towns had."""
    ours, theirs = (
        [
            _describe_intervention(logged.effect)
            for _, logged in run.effects(step, step)
            if isinstance(logged.effect, Intervened)
        ]
        for run in (first, second)
    )
    yield from (ValuePair("intervention", words, "") for words in ours if words not in theirs)
    yield from (ValuePair("intervention", "", words) for words in theirs if words not in ours)


def _describe_intervention(effect: Intervened) -> str:
    text = summarize(effect)
    return f"{effect.kind} {effect.target}: {text}" if text else f"{effect.kind} {effect.target}"


def _pair_calls(
    first: RunFile, second: RunFile, step: int
) -> Iterator[tuple[Call | None, Call | None]]:
    """Yield the calls of a step in pairs, by resident, kind and number; None for a call that only
    the other run has.
    """
    ours, theirs = (
        {(call.who, call.kind, call.ordinal): call for call in run.calls(step, step)}
        for run in (first, second)
    )
    yield from ((ours.get(key), theirs.get(key)) for key in sorted({*ours, *theirs}))


def _has_same_prompt(ours: Call, theirs: Call) -> bool:
    """Return True if the prompts are the same; where their texts were not kept, compare the retrieved
    memories.
    """
    if ours.messages and theirs.messages:
        return ours.messages == theirs.messages
    return ours.retrieved == theirs.retrieved


def _pair_replies(ours: Call, theirs: Call) -> ValuePair:
    return ValuePair(f"reply to {ours.kind} of {ours.who}", ours.reply, theirs.reply)


def _find_first_effect(first: RunFile, second: RunFile, step: int) -> ValuePair | None:
    """Return the first effect of a step that only one of the runs has, beside the same resident's
    first effect that only the other has; None if there is none.

    The order of effects does not count: it is drawn for each step. Step 0 has none: its effects
    found the town.
    """
    ours, theirs = ([logged for _, logged in run.effects(step, step)] for run in (first, second))
    mine, other = _exclude(ours, theirs), _exclude(theirs, ours)
    if not step or not (mine or other):
        return None
    _, lead = min(mine[:1] + other[:1], key=lambda each: each[0])
    pair = [
        next((logged for _, logged in only if logged.who == lead.who), None)
        for only in (mine, other)
    ]
    return ValuePair(_name_effect(lead), _describe_effect(pair[0]), _describe_effect(pair[1]))


def _exclude(effects: list[Logged], others: list[Logged]) -> list[tuple[int, Logged]]:
    """Return the effects, each after its index, of which no equal one of the same resident is among
    the others.
    """
    known = {(logged.who, _describe_effect(logged)) for logged in others}
    return [
        (at, logged)
        for at, logged in enumerate(effects)
        if (logged.who, _describe_effect(logged)) not in known
    ]


def _find_first_reply(first: RunFile, second: RunFile, last: int) -> tuple[int, ValuePair] | None:
    """Return the first step up to `last` in which a reply differs or only one run has a call, and
    the replies to the first such call in it ("" where there is none); None if there is no such
    step.
    """
    rows = "SELECT step, resident, kind, ordinal, reply FROM calls WHERE step <= ? ORDER BY step, resident, kind, ordinal"
    for mine, other in zip_longest(
        *(run.database.execute(rows, (last,)) for run in (first, second))
    ):
        if mine != other:
            step, who, kind, _, _ = min(
                (row for row in (mine, other) if row), key=lambda row: row[:4]
            )
            same = mine is not None and other is not None and mine[:4] == other[:4]
            replies = [
                row[4].decode() if row and (same or row[:3] == (step, who, kind)) else ""
                for row in (mine, other)
            ]
            return step, ValuePair(f"{kind} of {who}", *replies)
    return None


def _name_effect(logged: Logged) -> str:
    return (
        f"{type(logged.effect).__name__} of {logged.who}"
        if logged.who
        else type(logged.effect).__name__
    )


def _describe_effect(logged: Logged | None) -> str:
    return f"{encode(logged.effect).decode()} ({logged.cause})" if logged else ""


def _read_setting(manifest: Manifest, name: str) -> Any:
    value: Any = manifest.settings
    for part in name.split("."):
        value = getattr(value, part)
    return value
