"""Does a run match its own records? Two levels, without any model, embedding or network.

*Fold*: the recorded effects, applied in order from step 0 on, must write what the tables hold and give each recorded
digest. *Think*: the residents think again with the recorded replies, and must produce the recorded effects; this
requires the engine and the world with which the run was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, zip_longest
from typing import Any, Self, cast

import numpy as np
import orjson
from numpy.typing import NDArray

from hometown.errors import reason_of
from hometown.game import Game
from hometown.model.llm import Completion, Request
from hometown.records import Call
from hometown.settings import Machine
from hometown.storage.codec import encode
from hometown.storage.digest import Written, step_digest, written, written_at
from hometown.storage.manifest import ENGINE, Manifest
from hometown.storage.run import Run, StepRecord
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
class Difference(Exception):
    """The first difference from the records. `what` names a row, an effect, a call or the digest;
    both values are JSON or a phrase, "" for nothing.
    """

    step: int
    who: str
    what: str
    recorded: str
    computed: str


@contextmanager
def reading(step: int, what: str) -> Iterator[None]:
    """Reports rows that can't be read as a difference."""
    try:
        yield
    except UNREADABLE as error:
        raise Difference(
            step,
            "",
            what,
            "",
            Phrase("cannot be read: {reason}", reason=reason_of(error) or repr(error)),
        ) from error


# fold --------------------------------------------------------------------------------------


def fold(run: Run) -> Iterator[int]:
    """Applies the recorded effects, and yields each step that matches its records. Raises
    Difference at the first that doesn't.
    """
    with reading(0, "rows"):
        digest = _digest(run, 0)
        _check_digest(0, "", digest, written_at(run.database, 0))
        state = run.restore(0, tiers=True)  # the parent of a fork may have recalled memories
    yield 0
    for step in _numbers(run):
        with reading(step, "rows"):
            previous, digest = digest, _digest(run, step)
            effects, recorded = (
                [logged for _, logged in run.effects(step, step)],
                written_at(run.database, step),
            )
        _apply_effects(step, effects, state)
        with reading(step, "rows"):
            computed = written(state.take_changes())
            _compare_rows(step, recorded, computed, effects)
            _check_digest(step, previous, digest, computed)
        yield step


def _numbers(run: Run) -> Iterable[int]:
    """The steps after step 0; endless where even the number of the last one can't be read."""
    try:
        return range(1, run.last.step + 1)
    except UNREADABLE:
        return count(1)


def _digest(run: Run, step: int) -> str:
    digest = run.digest(step)
    if digest is None:
        raise Difference(step, "", "digest", "", Phrase("there is no such step"))
    return digest


def _apply_effects(step: int, effects: Sequence[Logged], state: State) -> None:
    for logged in effects:
        try:
            apply(logged.effect, state)
        except UNREADABLE as error:
            reason = Phrase("cannot be carried out: {reason}", reason=error)
            raise Difference(
                step,
                logged.who,
                f"effect {type(logged.effect).__name__}",
                _json(logged.effect),
                reason,
            ) from error


def _check_digest(step: int, previous: str, recorded: str, computed: Written) -> None:
    digest = step_digest(previous, computed)
    if digest != recorded:
        raise Difference(step, "", "digest", recorded, digest)


def _compare_rows(
    step: int, recorded: Written, computed: Written, effects: Sequence[Logged]
) -> None:
    """Raises Difference for the first row of a table that differs from what the effects write."""
    for (table, ours), (_, theirs) in zip(_tables(computed), _tables(recorded), strict=True):
        for key in sorted({*ours, *theirs}):
            if (key in ours, ours.get(key)) != (
                key in theirs,
                theirs.get(key),
            ):  # a row that was removed is there, as NULL
                raise Difference(
                    step,
                    _owner(key, effects),
                    f"{table} {key}{_cause(table, key, effects)}",
                    _text(theirs.get(key)),
                    _text(ours.get(key)),
                )


def _tables(step: Written) -> list[tuple[str, dict[str, Any]]]:
    """What a step wrote, by table and key."""
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
    """The resident that a key names, as far as it took part in the step."""
    people = {logged.who for logged in effects}
    return next((part for part in key.replace("-", "/").split("/") if part in people), "")


def _cause(table: str, key: str, effects: Sequence[Logged]) -> str:
    """The last effect that mentions what a key names, with its cause."""
    last = key.rpartition("/")[2]
    named = [
        logged
        for logged in effects
        if f'"{last}"' in _json(logged.effect)
        or (table == "memory" and f'"id":{last},' in _json(logged.effect))
    ]
    return f" (effect {type(named[-1].effect).__name__}, {named[-1].cause})" if named else ""


# think -------------------------------------------------------------------------------------


def thinkable(run: Run, world: World | None) -> str:
    """Why the residents of this run can't think again here: "engine" or "world"; "" if they can."""
    if run.manifest.engine != ENGINE:
        return "engine"
    if world is None or run.manifest.versions.get("world") != fingerprint(world.folder):
        return "world"
    return ""


def forked_at(manifest: Manifest) -> int:
    """The step up to which a run's parent was run, with its own settings and model; 0 for a run
    without a parent.
    """
    return int(manifest.parent.rpartition("@")[2]) if manifest.parent else 0


class Rehearsal:
    """A run for a `Game` that returns the recorded replies and, instead of writing, compares."""

    def __init__(self, run: Run) -> None:
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
        """The interventions that were carried out in a step."""
        done = [
            logged.effect
            for logged in self._recorded_effects(step)
            if isinstance(logged.effect, Intervened)
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

    def recorded(self, step: int) -> dict[tuple[str, str, int], Call]:
        """The calls of a step by resident, kind and ordinal."""
        if step != self._calls[0]:
            with reading(step, "calls"):
                self._calls = (
                    step,
                    {
                        (call.who, call.kind, call.ordinal): call
                        for call in self.run.calls(step, step)
                    },
                )
        return self._calls[1]

    def _recorded_effects(self, step: int) -> list[Logged]:
        if step != self._effects[0]:
            with reading(step, "effects"):
                self._effects = step, [logged for _, logged in self.run.effects(step, step)]
        return self._effects[1]

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes:
        """The recorded reply. Raises Difference where there was no such call."""
        call = self.recorded(step).get((who, kind, ordinal))
        if call is None or attempt >= len(call.attempts):
            raise Difference(
                step,
                who,
                f"call:{kind}#{ordinal}",
                "",
                Phrase("attempt {attempt} is requested", attempt=attempt),
            )
        first, kept = attempt == 0, call.attempts[attempt]
        tokens = (call.prompt_tokens * first, call.reply_tokens * first, kept.cached_tokens)
        return orjson.dumps(
            Completion(
                kept.text,
                *tokens,
                kept.read_ms,
                kept.write_ms,
                kept.error if kept.failed else "",
                kept.served,
            )
        )

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        raise AssertionError("in a rehearsal every reply is recorded")

    def commit(self, record: StepRecord) -> str:
        """Raises Difference at the first call or effect of the step that differs from the records."""
        step = record.step
        _compare_calls(step, self.recorded(step), record.calls)
        for recorded, computed in zip_longest(self._recorded_effects(step), record.effects):
            if recorded != computed:
                logged = recorded or computed
                assert logged
                raise Difference(
                    step,
                    logged.who,
                    f"effect {type(logged.effect).__name__}, {logged.cause}",
                    _logged(recorded),
                    _logged(computed),
                )
        _check_digest(step, self.digests[step - 1], self.digests[step], written(record.changes))
        return self.digests[step]


def _compare_calls(
    step: int, recorded: dict[tuple[str, str, int], Call], calls: Iterable[Call]
) -> None:
    asked = {(call.who, call.kind, call.ordinal): call for call in calls}
    for key in sorted({*recorded, *asked}):
        before, now = recorded.get(key), asked.get(key)
        for field in ("reply", "outcome", "attempts", "retrieved", "messages"):
            was, is_ = getattr(before, field, None), getattr(now, field, None)
            if was != is_ and not (
                field == "messages" and was == ()
            ):  # prompts may not have been kept
                raise Difference(
                    step, key[0], f"call:{key[1]}#{key[2]} {field}", _json(was), _json(is_)
                )


class _NoModel:
    """The model and the embedding of a rehearsal, which are never used."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        raise AssertionError("in a rehearsal every reply is recorded")

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise Difference(0, "", "embedding", "", texts[0])


def rehearse(rehearsal: Rehearsal, world: World) -> Game:
    """A game that compares every step with the recorded one, and raises Difference where they
    differ.
    """
    manifest = rehearsal.manifest
    no_model = _NoModel(manifest.llm, manifest.dimension)
    return Game(rehearsal, world, no_model, no_model, Machine(ahead=0))


def _json(value: Any) -> str:
    """JSON, "" for nothing; NaN and infinity, which only damaged files hold, as Python writes them."""
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
