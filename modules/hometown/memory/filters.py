"""LlamaIndex's metadata filters: evaluated on the columns of a partition if these hold the field,
otherwise memory by memory.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.memory.concept import MEMORY_TYPES, MemoryType
from hometown.memory.llama_types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
)
from hometown.memory.nodes import NodeMaker
from hometown.memory.partition import Partition
from hometown.memory.scoring import to_seconds

Mask = NDArray[np.bool_]

_COMPARISONS: dict[FilterOperator, Callable[[Any, Any], Any]] = {
    FilterOperator.EQ: operator.eq,
    FilterOperator.NE: operator.ne,
    FilterOperator.GT: operator.gt,
    FilterOperator.GTE: operator.ge,
    FilterOperator.LT: operator.lt,
    FilterOperator.LTE: operator.le,
    FilterOperator.IN: lambda one, values: np.isin(one, values),
    FilterOperator.NIN: lambda one, values: ~np.isin(one, values),
}

_MOMENTS = ("created", "accessed", "expires")

_CONSTANT = ("resident", "retired")
"""Fields that all memories of a partition share."""


@frozen
class Candidates:
    """The memories of one partition that filters select from: live or retired ones of a resident."""

    who: str
    retired: bool
    partition: Partition
    maker: NodeMaker


@lru_cache(maxsize=4096)
def filter_by(who: str, types: tuple[MemoryType, ...] | None = None) -> MetadataFilters:
    """Return the filters for one resident's live memories, of some types or of all."""
    wanted = [MetadataFilter(key="resident", value=who), MetadataFilter(key="retired", value=0)]
    if types is not None:
        wanted.append(MetadataFilter(key="type", value=list(types), operator=FilterOperator.IN))
    return MetadataFilters(filters=list(wanted))


def find_residents(filters: MetadataFilters | None) -> list[str] | None:
    """Return the resident whom the first filter for equality names, as a list, or None if there is
    no such filter or the filters are not joined by AND.
    """
    if filters is None or filters.condition not in (None, FilterCondition.AND):
        return None
    for each in filters.filters:
        if (
            isinstance(each, MetadataFilter)
            and each.key == "resident"
            and each.operator == FilterOperator.EQ
        ):
            return [str(each.value)]
    return None


def make_mask(filters: MetadataFilters | None, candidates: Candidates) -> Mask | None:
    """Return a mask of the rows of a partition that pass filters, bool[n], or None if all do.
    Filters may be nested; joined by NOT, they pass the rows that match none of them.

    Raises ValueError for a moment that is no ISO date or time, and for an operator that does not
    fit a field.
    """
    if filters is None or not filters.filters:
        return None
    masks = [_make_one_mask(each, candidates) for each in filters.filters]
    narrowing = [mask for mask in masks if mask is not None]
    passes_all = len(narrowing) < len(masks)
    if filters.condition == FilterCondition.OR:
        return None if passes_all else reduce(operator.or_, narrowing)
    if filters.condition == FilterCondition.NOT:  # none of them matches
        if passes_all:
            return np.zeros(len(candidates.partition), bool)
        return ~reduce(operator.or_, narrowing)
    return reduce(operator.and_, narrowing) if narrowing else None


def _make_one_mask(each: MetadataFilter | MetadataFilters, candidates: Candidates) -> Mask | None:
    """Return the mask of one filter, or of nested ones, as `make_mask` does, None if all rows pass:
    by a whole column where the partition has one for its field, or else memory by memory.
    """
    if isinstance(each, MetadataFilters):
        return make_mask(each, candidates)
    if each.key in _CONSTANT:
        passes = _match_constant(
            candidates.who if each.key == "resident" else candidates.retired, each
        )
        return None if passes else np.zeros(len(candidates.partition), bool)
    compare = _COMPARISONS.get(each.operator)
    if compare is not None and each.key == "type":
        value = tuple(each.value) if isinstance(each.value, list) else each.value
        return _match_types(each.operator, value)[candidates.partition.columns().types]
    if compare is not None and each.key == "poignancy":
        return np.asarray(compare(candidates.partition.columns().poignancy, each.value), bool)
    if compare is not None and each.key in _MOMENTS:
        return _compare_moments(each, compare, candidates)
    return _filter_one_by_one(each, candidates)


def _match_constant(value: str | bool, each: MetadataFilter) -> bool:
    """Return True if a field that a partition's memories share passes a filter."""
    if each.operator == FilterOperator.EQ:  # in every search of a mind
        return value == each.value
    return _make_llama_filter(lambda _: {each.key: value}, each)("")


@lru_cache(maxsize=256)
def _match_types(comparison: FilterOperator, value: Any) -> Mask:
    """Return, for each type code, whether the memory type passes a comparison with a value,
    bool[types].
    """
    return np.array([bool(_COMPARISONS[comparison](kind, value)) for kind in MEMORY_TYPES])


def _compare_moments(
    each: MetadataFilter, compare: Callable[[Any, Any], Any], candidates: Candidates
) -> Mask:
    """Return the rows whose moment passes a comparison with an ISO text; a date stands for its
    midnight. Raises ValueError for any other text.
    """
    texts = each.value if isinstance(each.value, list) else [each.value]
    try:
        moments = [
            to_seconds(datetime.fromisoformat(str(text)).replace(tzinfo=None)) for text in texts
        ]
    except ValueError as error:
        raise ValueError(
            f"filter {each.key!r} compares with {each.value!r}; write a moment as 2025-02-13 or 2025-02-13T06:00"
        ) from error
    columns = candidates.partition.columns()
    if each.key == "expires":
        column = np.array(
            [to_seconds(_find_expiry(candidates, number)) for number in columns.ids.tolist()],
            np.int64,
        )
    else:
        column = columns.created if each.key == "created" else columns.accessed
    return np.asarray(
        compare(column, moments if isinstance(each.value, list) else moments[0]), bool
    )


def _find_expiry(candidates: Candidates, number: int) -> datetime:
    """Return the expiry of a memory by its id."""
    return candidates.maker.find(number).expires


def _make_llama_filter(
    find_metadata: Callable[[str], dict[str, Any]], each: MetadataFilter
) -> Callable[[str], bool]:
    """Return LlamaIndex's own function that decides by its metadata whether a node passes a filter."""
    from llama_index.core.vector_stores.utils import build_metadata_filter_fn  # takes seconds

    return build_metadata_filter_fn(find_metadata, MetadataFilters(filters=[each]))


def _filter_one_by_one(each: MetadataFilter, candidates: Candidates) -> Mask:
    """Return the rows whose metadata pass a filter, as LlamaIndex decides, bool[n]."""
    passes = _make_llama_filter(lambda number: candidates.maker.make_metadata(int(number)), each)
    return np.array(
        [passes(str(number)) for number in candidates.partition.columns().ids.tolist()], bool
    )


def restrict_to_ids(mask: Mask | None, node_ids: set[str], candidates: Candidates) -> Mask | None:
    """Return the mask narrowed to the given node ids of the candidates' resident; unchanged if
    there are none.
    """
    if not node_ids:
        return mask
    numbers = [
        int(number)
        for who, _, number in (node.rpartition("/") for node in node_ids)
        if who == candidates.who and number.isdecimal()
    ]
    named = np.isin(candidates.partition.columns().ids, numbers)
    return named if mask is None else mask & named
