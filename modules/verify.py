"""Is a run what it says it is? Two levels, without any model, embedding or network.

*Fold*: the recorded effects, applied one after the other from step 0 on, must write what the tables hold and meet each
recorded digest. *Think*: the residents think again, given the recorded replies, and must come to the recorded effects;
that holds as long as the engine and the world are those that the run was lived with.
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

from modules.errors import reason_of
from modules.game import Game
from modules.model.calls import Call
from modules.model.llm import Completion, Request
from modules.storage.codec import encode
from modules.storage.digest import Written, step_digest, written, written_at
from modules.storage.manifest import ENGINE, Manifest
from modules.storage.run import Run, StepRecord
from modules.storage.salvage import UNREADABLE
from modules.text import Phrase
from modules.world.apply import apply
from modules.world.effects import Intervened, Logged
from modules.world.interventions import Intervention, Kind
from modules.world.load import fingerprint
from modules.world.rows import Answered
from modules.world.state import State
from modules.world.world import World


@dataclass(eq=False)
class Difference(Exception):
    """The first thing that is not as recorded. `what` names a row, an effect, a call or the digest; both values are JSON or a phrase, "" for nothing."""

    step: int
    who: str
    what: str
    recorded: str
    found: str


@contextmanager
def reading(step: int, what: str) -> Iterator[None]:
    """Rows that can't even be read are a difference, too."""
    try:
        yield
    except UNREADABLE as error:
        raise Difference(step, "", what, "", Phrase("cannot be read: {reason}", reason=reason_of(error) or repr(error))) from error


# fold --------------------------------------------------------------------------------------


def fold(run: Run) -> Iterator[int]:
    """Applies the recorded effects, and yields each step that is as recorded. Raises Difference at the first that isn't."""
    with reading(0, "rows"):
        digest = _digest(run, 0)
        _meet(0, "", digest, written_at(run.database, 0))
        state = run.restore(0)
    yield 0
    for step in _numbers(run):
        with reading(step, "rows"):
            previous, digest = digest, _digest(run, step)
            effects, recorded = [logged for _, logged in run.effects(step, step)], written_at(run.database, step)
        _carry_out(step, effects, state)
        with reading(step, "rows"):
            found = written(state.take_changes())
            _compare_rows(step, recorded, found, effects)
            _meet(step, previous, digest, found)
        yield step


def _numbers(run: Run) -> Iterable[int]:
    """The steps after step 0; without an end where even the last one can't be found."""
    try:
        return range(1, run.last.step + 1)
    except UNREADABLE:
        return count(1)


def _digest(run: Run, step: int) -> str:
    digest = run.digest(step)
    if digest is None:
        raise Difference(step, "", "digest", "", Phrase("there is no such step"))
    return digest


def _carry_out(step: int, effects: Sequence[Logged], state: State) -> None:
    for logged in effects:
        try:
            apply(logged.effect, state)
        except UNREADABLE as error:
            reason = Phrase("cannot be carried out: {reason}", reason=error)
            raise Difference(step, logged.who, f"effect {type(logged.effect).__name__}", _json(logged.effect), reason) from error


def _meet(step: int, previous: str, recorded: str, found: Written) -> None:
    digest = step_digest(previous, found)
    if digest != recorded:
        raise Difference(step, "", "digest", recorded, digest)


def _compare_rows(step: int, recorded: Written, found: Written, effects: Sequence[Logged]) -> None:
    """Raises Difference for the first row of a table that the effects do not write so."""
    for (table, ours), (_, theirs) in zip(_tables(found), _tables(recorded), strict=True):
        for key in sorted({*ours, *theirs}):
            if ours.get(key) != theirs.get(key):
                raise Difference(step, _owner(key, effects), f"{table} {key}{_cause(table, key, effects)}", _text(theirs.get(key)), _text(ours.get(key)))


def _tables(step: Written) -> list[tuple[str, dict[str, Any]]]:
    """What a step wrote, by table and key."""
    return [
        ("state row", dict(step.rows)),
        ("memory", {f"{who}/{orjson.loads(one)['id']}": one for who, one in step.memories}),
        ("last access of", {who: accessed + retired for who, accessed, retired in step.memory_changes}),
        ("conversation", {orjson.loads(talk)["id"]: talk for talk in step.talks}),
        ("trajectory of", dict(step.trajectories)),
    ]


def _owner(key: str, effects: Sequence[Logged]) -> str:
    """The resident that a key names, as far as it took part in the step."""
    people = {logged.who for logged in effects}
    return next((part for part in key.replace("-", "/").split("/") if part in people), "")


def _cause(table: str, key: str, effects: Sequence[Logged]) -> str:
    """The effect that speaks of what a key names, told with where it comes from."""
    last = key.rpartition("/")[2]
    named = [one for one in effects if f'"{last}"' in _json(one.effect) or (table == "memory" and f'"id":{last},' in _json(one.effect))]
    return f" (effect {type(named[-1].effect).__name__}, {named[-1].cause})" if named else ""


# think -------------------------------------------------------------------------------------


def thinkable(run: Run, world: World | None) -> str:
    """Why this run can't be thought through here: "engine" or "world"; "" if it can."""
    if run.manifest.engine != ENGINE:
        return "engine"
    if world is None or run.manifest.versions.get("world") != fingerprint(world.folder):
        return "world"
    return ""


def forked_at(manifest: Manifest) -> int:
    """The step up to which a run's parent lived, by its own settings and model; 0 for a run without one."""
    return int(manifest.parent.rpartition("@")[2]) if manifest.parent else 0


class Rehearsal:
    """A run as a `Game` wants one, that hands out what was recorded and, in place of writing, compares."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.first = forked_at(run.manifest)
        self.manifest = run.manifest
        self.vectors = run.vectors
        self._calls: dict[tuple[str, str, int], Call] = {}
        self._step = -1
        self.digests = run.digests()

    @property
    def journal(self) -> Self:
        return self

    @property
    def inbox(self) -> Self:
        return self

    def due(self, step: int, answered: Answered) -> list[Intervention]:
        """What the user asked for in a step, as it was carried out."""
        with reading(step, "effects"):
            done = [logged.effect for _, logged in self.run.effects(step, step) if isinstance(logged.effect, Intervened)]
        return [Intervention(cast(Kind, one.kind), one.target, one.text, step, one.number) for one in done]

    def restore(self) -> State:
        return self.run.restore(self.first)

    def recorded(self, step: int) -> dict[tuple[str, str, int], Call]:
        """The calls of a step by resident, kind and ordinal."""
        if step != self._step:
            with reading(step, "calls"):
                self._step, self._calls = step, {(call.who, call.kind, call.ordinal): call for call in self.run.calls(step, step)}
        return self._calls

    def get(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes) -> bytes:
        """The recorded reply. Raises Difference where none was asked for."""
        call = self.recorded(step).get((who, kind, ordinal))
        if call is None or attempt >= len(call.attempts):
            raise Difference(step, who, f"call:{kind}#{ordinal}", "", Phrase("attempt {attempt} is asked for", attempt=attempt))
        first = attempt == 0
        return orjson.dumps(Completion(call.attempts[attempt].text, call.prompt_tokens * first, call.reply_tokens * first))

    def put(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes) -> None:
        raise AssertionError("in a rehearsal every reply is recorded")

    def commit(self, record: StepRecord) -> str:
        """Raises Difference at the first call or effect of the step that is not as recorded."""
        step = record.step
        _compare_calls(step, self.recorded(step), record.calls)
        for recorded, found in zip_longest((logged for _, logged in self.run.effects(step, step)), record.effects):
            if recorded != found:
                one = recorded or found
                raise Difference(step, one.who, f"effect {type(one.effect).__name__}, {one.cause}", _logged(recorded), _logged(found))
        _meet(step, self.digests[step - 1], self.digests[step], written(record.changes))
        return self.digests[step]


def _compare_calls(step: int, recorded: dict[tuple[str, str, int], Call], found: Iterable[Call]) -> None:
    asked = {(call.who, call.kind, call.ordinal): call for call in found}
    for key in sorted({*recorded, *asked}):
        before, now = recorded.get(key), asked.get(key)
        for field in ("reply", "outcome", "attempts", "retrieved", "messages"):
            was, is_ = getattr(before, field, None), getattr(now, field, None)
            if was != is_ and not (field == "messages" and was == ()):  # prompts may not have been kept
                raise Difference(step, key[0], f"call:{key[1]}#{key[2]} {field}", _json(was), _json(is_))


class _Silent:
    """The model and the embedding of a rehearsal, which nobody asks."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        raise AssertionError("in a rehearsal every reply is recorded")

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise Difference(0, "", "embedding", "", texts[0])


def rehearse(rehearsal: Rehearsal, world: World) -> Game:
    """A game whose every step is compared with the recorded one, and raises Difference where it isn't the same."""
    manifest = rehearsal.manifest
    silent = _Silent(manifest.llm, manifest.dimension)
    return Game(rehearsal, world, silent, silent)


def _json(value: Any) -> str:
    """ "" for nothing; a number that is none, which only damage brings, as Python writes it."""
    try:
        return encode(value).decode() if value is not None else ""
    except ValueError:
        return repr(value)


def _logged(one: Logged | None) -> str:
    return _json(one.effect) if one else ""


def _text(value: Any) -> str:
    return "" if value is None else value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)
