"""The interfaces to a run whose database holds memories."""

from __future__ import annotations

from typing import Any, Protocol

from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept


class EditableRun(Protocol):
    """A run whose database holds memories."""

    def restore(self) -> Any:
        """Return the state after the last step."""
        ...

    def edit_memories(self, state: Any) -> Editor:
        """Return an editor that adds and retires memories of a state."""
        ...


class Editor(Protocol):
    """Adds and retires memories of a run, by effects that are collected for the record of the next
    step.
    """

    run: Any
    effects: list[Any]
    """Additions and retirements, for the record of the next step."""

    def remember(self, who: str, concept: Concept, vector: Vector) -> None: ...

    def retire(self, who: str, memory: int) -> None: ...

    def flush(self) -> None:
        """Write new vectors to the database."""
        ...
