"""The interface of a run, as a game uses it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hometown.model.reply_journal import Journal
from hometown.model.text_vectors import VectorStorage
from hometown.storage.manifest import Manifest
from hometown.storage.step_record import StepRecord
from hometown.world.incidents import Answered
from hometown.world.interventions import Intervention
from hometown.world.state import State


class InterventionSource(Protocol):
    """The user's interventions."""

    def due(self, step: int, answered: Answered) -> Sequence[Intervention]:
        """Return the interventions to apply in a step, in order, without the `answered` ones."""
        ...


class Store(Protocol):
    """The storage of a game: a run's manifest, reply journal, vectors, inbox and steps."""

    @property
    def manifest(self) -> Manifest: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def vectors(self) -> VectorStorage: ...

    @property
    def inbox(self) -> InterventionSource: ...

    @property
    def planned_end(self) -> int:
        """The last step that the user has asked for."""
        ...

    def restore(self) -> State: ...

    def commit(self, record: StepRecord) -> str:
        """Save a step and return its digest."""
        ...
