"""Verifies a run against its own records, on two levels, without any model, embedding or network.

*Fold*: the recorded effects, applied in order from step 0 on, must reproduce the tables and each
recorded digest. *Think*: the residents think again with the recorded replies, and must produce the
recorded effects; this requires the engine and the world of the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, zip_longest
from math import inf
from typing import Any, Literal, Self, cast

import numpy as np
import orjson
from numpy.typing import NDArray

from hometown.errors import TooLong, reason_of
from hometown.game import Game
from hometown.model.llm import Completion, Request
from hometown.model.queue import CallKey
from hometown.prompt.budget import about_tokens
from hometown.records import Call
from hometown.settings import Machine
from hometown.storage.codec import encode
from hometown.storage.digest import CanonicalStep, read_canonical, step_digest, to_canonical
from hometown.storage.manifest import ENGINE, Manifest
from hometown.storage.run import RunFile, StepRecord
from hometown.storage.salvage import UNREADABLE
from hometown.text import Phrase
from hometown.world.apply import apply
from hometown.world.effects import Logged
from hometown.world.incidents import Answered, Intervened
from hometown.world.interventions import Intervention, Kind
from hometown.world.snapshot import fingerprint
from hometown.world.state import State
from hometown.world.world import World


@dataclass(eq=False)
class Mismatch(Exception):
    """The first difference from the records. `who` is the resident, "" for none; `what` names a
    row, an effect, a call or the digest; both values are JSON or a phrase, "" for a missing one.
    """

    step: int
    who: str
    what: str
    recorded: str
    computed: str


@contextmanager
def report_unreadable(step: int, what: str) -> Iterator[None]:
    """Raise Mismatch at a step, about `what`, in place of an error of reading."""
    try:
        yield
    except UNREADABLE as error:
        raise Mismatch(
            step,
            "",
            what,
            "",
            Phrase("cannot be read: {reason}", reason=reason_of(error) or repr(error)),
        ) from error


# fold --------------------------------------------------------------------------------------


def fold(run: RunFile) -> Iterator[int]:
    """Apply the recorded effects to the state of step 0, and yield 0 and each step whose rows and
    digest match its records. Raises Mismatch at the first that does not, or cannot be read.
    """
    with report_unreadable(0, "rows"):
        digest = _digest(run, 0)
        _check_digest(0, "", digest, read_canonical(run.database, 0))
        state = run.restore(0, tiers=True)  # the parent of a fork may have recalled memories
    yield 0
    for step in _numbers(run):
        with report_unreadable(step, "rows"):
            previous = digest
            digest = _digest(run, step)
            effects = [logged for _, logged in run.effects(step, step)]
            recorded = read_canonical(run.database, step)
        _apply_effects(step, effects, state)
        with report_unreadable(step, "rows"):
            computed = to_canonical(state.take_changes())
            _compare_rows(step, recorded, computed, effects)
            _check_digest(step, previous, digest, computed)
        yield step


def _numbers(run: RunFile) -> Iterable[int]:
    """Return the steps after step 0, without end if even the number of the last one cannot be read."""
    try:
        return range(1, run.last.step + 1)
    except UNREADABLE:
        return count(1)


def _digest(run: RunFile, step: int) -> str:
    """Return the recorded digest of a step. Raises Mismatch if there is none."""
    digest = run.digest(step)
    if digest is None:
        raise Mismatch(step, "", "digest", "", Phrase("there is no such step"))
    return digest


def _apply_effects(step: int, effects: Sequence[Logged], state: State) -> None:
    """Change the state by a step's effects. Raises Mismatch at the first that cannot be applied."""
    for logged in effects:
        try:
            apply(logged.effect, state)
        except UNREADABLE as error:
            reason = Phrase("cannot be applied: {reason}", reason=error)
            raise Mismatch(
                step,
                logged.who,
                f"effect {type(logged.effect).__name__}",
                _json(logged.effect),
                reason,
            ) from error


def _check_digest(step: int, previous: str, recorded: str, computed: CanonicalStep) -> None:
    """Raise Mismatch if the digest of the computed rows, chained to the previous step's digest,
    differs from the recorded one.
    """
    digest = step_digest(previous, computed)
    if digest != recorded:
        raise Mismatch(step, "", "digest", recorded, digest)


def _compare_rows(
    step: int, recorded: CanonicalStep, computed: CanonicalStep, effects: Sequence[Logged]
) -> None:
    """Raise Mismatch for the first row that differs from the row that the effects produce, or that
    only one side has; it names the row's resident and the effect behind it, if they are known.
    """
    for (table, ours), (_, theirs) in zip(_tables(computed), _tables(recorded), strict=True):
        for key in sorted({*ours, *theirs}):
            if (key in ours, ours.get(key)) != (
                key in theirs,
                theirs.get(key),
            ):  # a row that was removed is there, as NULL
                raise Mismatch(
                    step,
                    _owner(key, effects),
                    f"{table} {key}{_cause(table, key, effects)}",
                    _text(theirs.get(key)),
                    _text(ours.get(key)),
                )


def _tables(step: CanonicalStep) -> list[tuple[str, dict[str, Any]]]:
    """Return the rows of a step, by table and key."""
    return [
        ("state row", dict(step.rows)),
        (
            "memory",
            {f"{who}/{orjson.loads(memory)['id']}": memory for who, memory in step.memories},
        ),
        (
            "last access of",
            {who: accessed + retired for who, accessed, retired in step.memory_changes},
        ),
        ("conversation", {orjson.loads(talk)["id"]: talk for talk in step.talks}),
        ("trajectory of", dict(step.trajectories)),
    ]


def _owner(key: str, effects: Sequence[Logged]) -> str:
    """Return the first part of a key that names a resident with an effect in the step, otherwise ""."""
    people = {logged.who for logged in effects}
    return next((part for part in key.replace("-", "/").split("/") if part in people), "")


def _cause(table: str, key: str, effects: Sequence[Logged]) -> str:
    """Return the type and the cause of the last effect that mentions the subject of a key, in
    brackets; "" if none does.
    """
    last = key.rpartition("/")[2]
    named = [
        logged
        for logged in effects
        if f'"{last}"' in _json(logged.effect)
        or (table == "memory" and f'"id":{last},' in _json(logged.effect))
    ]
    return f" (effect {type(named[-1].effect).__name__}, {named[-1].cause})" if named else ""


# think -------------------------------------------------------------------------------------


Obstacle = Literal["", "engine", "world", "prompts"]
"""The cause for which a run cannot be thought again; `prompts`: they were shortened, and not kept."""


def rethinking_obstacle(run: RunFile, world: World | None) -> Obstacle:
    """Return "" if the residents of this run can think again here, otherwise the obstacle. Raises
    Mismatch if the statistics of the steps cannot be read.
    """
    if run.manifest.engine != ENGINE:
        return "engine"
    if world is None or run.manifest.versions.get("world") != fingerprint(world.folder):
        return "world"
    if not run.manifest.settings.record_prompts:
        with report_unreadable(run.last.step, "statistics"):
            return "prompts" if any(step.get("shortened") for step in run.stats()) else ""
    return ""


def forked_at(manifest: Manifest) -> int:
    """Return the step at which a run was forked from its parent, 0 without a parent."""
    return int(manifest.parent.rpartition("@")[2]) if manifest.parent else 0


class Rehearsal:
    """Stands in for the run of a `Game`: it returns the recorded replies, and compares instead of
    writing.
    """

    def __init__(self, run: RunFile) -> None:
        self.run = run
        self.first = forked_at(run.manifest)
        self.manifest = run.manifest
        self.vectors = run.vectors
        self._calls: tuple[int, dict[tuple[str, str, int], Call]] = -1, {}
        self._effects: tuple[int, list[Logged]] = -1, []
        self.digests = run.digests()

    @property
    def journal(self) -> Self:
        return self

    @property
    def inbox(self) -> Self:
        return self

    def due(self, step: int, answered: Answered) -> list[Intervention]:
        """Return the interventions that were carried out in a step."""
        done = [
            logged.effect
            for logged in self._recorded_effects(step)
            if isinstance(logged.effect, Intervened) and logged.effect.number not in answered
        ]
        return [
            Intervention(
                cast(Kind, effect.kind),
                effect.target,
                effect.text,
                step,
                effect.number,
                effect.memory,
            )
            for effect in done
        ]

    @property
    def planned_end(self) -> int:
        return self.run.last.step

    def restore(self) -> State:
        return self.run.restore(self.first)

    def recorded_calls(self, step: int) -> dict[tuple[str, str, int], Call]:
        """Return the calls of a step by resident, kind and ordinal; the step last asked for is kept."""
        if step != self._calls[0]:
            with report_unreadable(step, "calls"):
                self._calls = (
                    step,
                    {
                        (call.who, call.kind, call.ordinal): call
                        for call in self.run.calls(step, step)
                    },
                )
        return self._calls[1]

    def _recorded_effects(self, step: int) -> list[Logged]:
        """Return the effects of a step; the step last asked for is kept."""
        if step != self._effects[0]:
            with report_unreadable(step, "effects"):
                self._effects = step, [logged for _, logged in self.run.effects(step, step)]
        return self._effects[1]

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes:
        """Return the recorded reply to an attempt of a call, as JSON of a `Completion`. The first
        attempt has the tokens of the whole call, the others none; if the reply cannot be used, the
        recorded error says why. `asked`, the hash of the request, is not compared.

        Raises:
            TooLong: The run gave the call up, as it does if a further attempt has no room.
            Mismatch: The run made no such attempt.
        """
        call = self.recorded_calls(step).get((who, kind, ordinal))
        if call and 0 < len(call.attempts) <= attempt and call.outcome == "fallback":
            raise TooLong(())
        if call is None or attempt >= len(call.attempts):
            raise Mismatch(
                step,
                who,
                f"call:{kind}#{ordinal}",
                "",
                Phrase("attempt {attempt} is requested", attempt=attempt),
            )
        kept = call.attempts[attempt]
        prompt_tokens = call.prompt_tokens if attempt == 0 else 0
        reply_tokens = call.reply_tokens if attempt == 0 else 0
        return orjson.dumps(
            Completion(
                kept.text,
                prompt_tokens,
                reply_tokens,
                kept.cached_tokens,
                kept.read_ms,
                kept.write_ms,
                kept.error if kept.failed else "",
                kept.served,
                kept.error,
                kept.trials,
            )
        )

    def room(self, place: CallKey) -> float:
        """Return the tokens of a call's recorded prompt, with which it is shortened as it was; `inf`
        if the run did not keep it.
        """
        call = self.recorded_calls(place.step).get((place.who, place.kind, place.ordinal))
        return about_tokens(call.messages) if call and call.messages else inf

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        raise AssertionError("in a rehearsal every reply is recorded")

    def commit(self, record: StepRecord) -> str:
        """Return the step's digest. Raises Mismatch at the first call or effect that differs from the
        records, and if the digest differs.
        """
        step = record.step
        _compare_calls(step, self.recorded_calls(step), record.calls)
        for recorded, computed in zip_longest(self._recorded_effects(step), record.effects):
            if recorded != computed:
                logged = recorded or computed
                assert logged
                raise Mismatch(
                    step,
                    logged.who,
                    f"effect {type(logged.effect).__name__}, {logged.cause}",
                    _logged(recorded),
                    _logged(computed),
                )
        _check_digest(
            step, self.digests[step - 1], self.digests[step], to_canonical(record.changes)
        )
        return self.digests[step]


def _compare_calls(
    step: int, recorded: dict[tuple[str, str, int], Call], calls: Iterable[Call]
) -> None:
    """Raise Mismatch at the first field of a call that differs from the records. Prompts that the
    run did not keep are not compared.
    """
    asked = {(call.who, call.kind, call.ordinal): call for call in calls}
    for key in sorted({*recorded, *asked}):
        who, kind, ordinal = key
        old = recorded.get(key)
        new = asked.get(key)
        for field in ("reply", "outcome", "attempts", "retrieved", "messages"):
            old_value = getattr(old, field, None)
            new_value = getattr(new, field, None)
            was_dropped = field == "messages" and old_value == ()
            if old_value != new_value and not was_dropped:
                raise Mismatch(
                    step, who, f"call:{kind}#{ordinal} {field}", _json(old_value), _json(new_value)
                )


class _NoModel:
    """The model and the embedding of a rehearsal, which are never used."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        raise AssertionError("in a rehearsal every reply is recorded")

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise Mismatch(0, "", "embedding", "", texts[0])


def rehearse(rehearsal: Rehearsal, world: World) -> Game:
    """Return a game that repeats a run's thinking, from its fork on if it is one, and raises
    Mismatch at the first step that differs from the records.
    """
    manifest = rehearsal.manifest
    no_model = _NoModel(manifest.llm, manifest.dimension)
    game = Game(rehearsal, world, no_model, no_model, Machine(ahead=0, visitor_seconds=0))
    game.caller.room = rehearsal.room
    return game


def _json(value: Any) -> str:
    """Return JSON, "" for None; NaN and infinity, which only damaged files hold, in Python's
    notation.
    """
    try:
        return encode(value).decode() if value is not None else ""
    except ValueError:
        return repr(value)


def _logged(logged: Logged | None) -> str:
    return _json(logged.effect) if logged else ""


def _text(value: Any) -> str:
    return (
        ""
        if value is None
        else value.decode("utf-8", "backslashreplace")
        if isinstance(value, bytes)
        else str(value)
    )
