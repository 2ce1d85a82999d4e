"""Views of a memory stream on which a mind, or a copy of the town, goes on without changing the stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from datetime import datetime
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from hometown.memory.arithmetic import Vector
from hometown.memory.concept import Concept
from hometown.memory.scoring import Columns, seconds
from hometown.memory.stream import MemoryStream

_COLUMNS = [field.name for field in fields(Columns)]


class Overlay(MemoryStream):
    """A base stream, unchanged, under memories added in this step."""

    def __init__(self, base: MemoryStream, load: Callable[[Sequence[str]], Vector] | None = None) -> None:
        super().__init__()
        self.base = base
        self.fresh = MemoryStream(load)
        self.gone: set[int] = set()
        self.cold = base.cold

    def add(self, concept: Concept, vector: Vector | None, accessed: datetime | None = None) -> None:
        self.fresh.add(concept, vector, accessed)

    def access(self, ids: Iterable[int], when: datetime) -> None:
        """Takes effect at commit; within the step, scores stay as they were."""

    def retire(self, ids: Iterable[int]) -> None:
        self.gone.update(ids)

    def recall(self, ids: Iterable[int], when: datetime) -> None:
        """Takes effect at commit."""

    def __len__(self) -> int:
        return len(self.base) + len(self.fresh) - sum(number in self.base or number in self.fresh for number in self.gone)

    def __contains__(self, number: int) -> bool:
        return number not in self.gone and (number in self.fresh or number in self.base)

    def concept(self, number: int) -> Concept:
        return self.fresh.concept(number) if number in self.fresh else self.base.concept(number)

    def columns(self) -> Columns:
        if not (len(self.fresh) or self.gone):
            return self.base.columns()
        base, fresh = self.base.columns(), self.fresh.columns()
        live = self._live()
        return Columns(*(np.concatenate((getattr(base, name), getattr(fresh, name)))[live] for name in _COLUMNS))

    def dot(self, query: Vector) -> Vector:
        if not (len(self.fresh) or self.gone):
            return self.base.dot(query)
        return np.concatenate((self.base.dot(query), self.fresh.dot(query)))[self._live()]

    def vectors(self, ids: Sequence[int]) -> Vector:
        return np.stack([(self.fresh if number in self.fresh else self.base).vectors([number])[0] for number in ids])

    def _latest(self) -> Iterator[Concept]:
        latest = chain(self.fresh._latest(), self.base._latest())
        return (concept for concept in latest if concept.id not in self.gone) if self.gone else latest

    def _live(self) -> NDArray[np.bool_] | slice:
        if not self.gone:
            return slice(None)
        ids = np.concatenate((self.base.columns().ids, self.fresh.columns().ids))
        return ~np.isin(ids, list(self.gone))


class Fork(Overlay):
    """An overlay that lives on for several steps, so that accesses take effect as well."""

    def __init__(self, base: MemoryStream) -> None:
        super().__init__(base)
        self._accessed: dict[int, int] = {}

    def access(self, ids: Iterable[int], when: datetime) -> None:
        self._accessed.update(dict.fromkeys(ids, seconds(when)))

    def columns(self) -> Columns:
        columns, live = super().columns(), [number for number in self._accessed if number in self]
        if not live:
            return columns
        accessed = columns.accessed.copy()  # they may be the base's own
        accessed[np.searchsorted(columns.ids, live)] = [self._accessed[number] for number in live]
        return replace(columns, accessed=accessed)
