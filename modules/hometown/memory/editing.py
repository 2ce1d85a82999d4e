"""The interface to a run in whose database memories are kept."""

from __future__ import annotations

from typing import Any, Protocol

from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept


class EditableRun(Protocol):
    """A run in whose database memories are kept."""

    def restore(self) -> Any:
        """Return the state after the last step."""
        ...

    def edit_memories(self, state: Any) -> Editor:
        """Return what adds and retires memories of a state."""
        ...


class Editor(Protocol):
    """Adds and retires memories of a run, by effects."""

    run: Any
    effects: list[Any]
    """What was added and retired, for the record of the next step."""

    def remember(self, who: str, concept: Concept, vector: Vector) -> None: ...

    def retire(self, who: str, memory: int) -> None: ...

    def flush(self) -> None:
        """Write new vectors to the database."""
        ...
