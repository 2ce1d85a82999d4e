"""Changes of a run's memories through its memory store."""

from __future__ import annotations

from typing import Any

from hometown.errors import BadRun
from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.storage.vector_table import VectorTable
from hometown.world.apply import apply
from hometown.world.effects import Logged, Remembered, Retired
from hometown.world.state import State


class MemoryEditor:
    """Adds and retires memories of a state as effects, which are collected in `effects` for the
    record of the next step.

    Raises BadRun if the run is open for reading.
    """

    def __init__(self, run: Any, name: str, vectors: VectorTable, state: State) -> None:
        self.run = run
        self.effects: list[Logged] = []
        self._name = name
        self._vectors = vectors
        self._state = state

    def remember(self, who: str, concept: Concept, vector: Vector) -> None:
        """Add a resident's next memory. Raises ValueError if its id is not the next."""
        following = self._state.mind(who).memories + 1
        if concept.id != following:
            raise ValueError(
                f"node '{who}/{concept.id}' can't be added: the next memory of {who!r} is '{who}/{following}'"
            )
        self._require_writable()
        self._vectors.put_many({concept.text: vector})
        self._do(Remembered(who, concept), who)

    def retire(self, who: str, memory: int) -> None:
        """Take a memory out of retrieval, as "deleted", in the next step. Raises BadRun if the run is
        open for reading.
        """
        self._require_writable()
        self._do(Retired(who, (memory,), "deleted"), who)

    def flush(self) -> None:
        """Write new vectors to the database."""
        self._vectors.flush()

    def _do(self, effect: Remembered | Retired, who: str) -> None:
        """Apply an effect to the state and add it to `effects`."""
        apply(effect, self._state)
        self.effects.append(Logged(effect, who, "rule:index"))

    def _require_writable(self) -> None:
        """Raise BadRun if the run is open for reading."""
        if not self._vectors.is_persistent:
            raise BadRun(
                "run {name!r} is open for reading: memories can't be added or deleted",
                name=self._name,
            )
