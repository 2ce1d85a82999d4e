"""Fitting a prompt into its model's context: the order in which its lists are cut.

Prompts that fit are sent whole, which at the usual 8192 tokens are all. In others, lists are
shortened one after the other, as in `ORDER`, each as little as possible. Rules, persona, question
and items that a reply must answer one by one stay.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Generic, TypeVar

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.dialogue import UtteranceVars
from hometown.prompt.prompt import Prompt, Variables
from hometown.records import Message

V = TypeVar("V", bound=Variables)

Scores = Mapping[int, float]
"""Retrieval scores by memory id; memories that were not retrieved rank by age."""

Render = Callable[[Prompt[Any, Any], Variables], tuple[Message, ...]]

TOKENS_PER_MESSAGE = 6
"""Tokens that a chat template adds to each message."""

_PARTS = re.compile(r"[A-Za-z]{1,4}|[!-@\[-`{-~]|\s\s+")


@frozen
class TrimmableList:
    """A list of a prompt's variables that may be cut down to its `least` best items.

    `worst_first` returns the positions of its items, the first to be cut first.
    """

    name: str
    least: int
    worst_first: Callable[[Sequence[Any], Scores], Sequence[int]]


def _by_score(memories: Sequence[Any], scores: Scores) -> Sequence[int]:
    """Order memories by score, the lowest first; without scores by age, the oldest first."""
    return sorted(
        range(len(memories)), key=lambda at: (scores.get(memories[at].id, 0.0), memories[at].id)
    )


def _from_the_front(items: Sequence[Any], _: Scores) -> Sequence[int]:
    """Order items by position, the first first."""
    return range(len(items))


def _from_the_end(items: Sequence[Any], _: Scores) -> Sequence[int]:
    """Order items by position, the last first."""
    return range(len(items) - 1, -1, -1)


ORDER = (
    TrimmableList("memories", 1, _by_score),
    TrimmableList("places", 0, _from_the_end),
    TrimmableList("spots", 4, _from_the_end),
    TrimmableList("rooms", 4, _from_the_end),
    TrimmableList("chats", 1, _from_the_front),
    TrimmableList("neighbours", 1, _from_the_end),
    TrimmableList("lines", 2, _from_the_front),
    TrimmableList("plan", 0, _from_the_end),
    TrimmableList("relations", 0, _from_the_end),
)
"""The order of cutting: memories with the lowest scores, places that suit least or were learnt of
last, the oldest conversations, the farthest neighbours, the earliest lines, the end of the day's
plan, and acquaintances of the persona.
"""


@frozen
class Fitted(Generic[V]):
    """A prompt as sent, without `cut` items; `spent` if nothing more can be cut."""

    variables: V
    messages: tuple[Message, ...]
    cut: int = 0
    spent: bool = False


def fit(
    prompt: Prompt[V, Any], variables: V, render: Render, room: float, scores: Scores
) -> Fitted[V]:
    """Return a prompt that fits into `room` tokens, as estimated by `about_tokens`: whole, or with
    items cut from its lists in the order of `ORDER`. `spent` if it still does not fit.
    """

    def fits(shorter: V) -> bool:
        return about_tokens(render(prompt, shorter)) <= room

    whole = render(prompt, variables)
    if room == inf or about_tokens(whole) <= room:
        return Fitted(variables, whole)
    cut = 0
    for part in ORDER:
        variables, dropped = _cut_list(variables, part, scores, fits)
        cut += dropped
        if dropped and fits(variables):
            return Fitted(variables, render(prompt, variables), cut)
    return Fitted(variables, render(prompt, variables), cut, spent=True)


def _cut_list(
    variables: V, part: TrimmableList, scores: Scores, fits: Callable[[V], bool]
) -> tuple[V, int]:
    """Cut the fewest items of a list with which the prompt fits, or all that may be cut if it does
    not fit even then; return the variables, and the number of items cut.
    """
    items = _items(variables, part)
    worst = part.worst_first(items, scores)

    def without(count: int) -> V:
        return _without(variables, part, frozenset(worst[:count])) if count else variables

    most = max(0, len(items) - part.least)
    count = bisect_left(range(most), True, key=lambda count: fits(without(count)))
    return without(count), count


def _items(variables: Variables, part: TrimmableList) -> Sequence[Any]:
    """Return the items of a list of a prompt's variables; empty if they have no such list. In a
    conversation, the memories are those of all its lines, too.
    """
    name = part.name
    if name == "relations":
        return tuple((variables.situation.me.relations or {}).items())
    if name == "memories" and isinstance(variables, UtteranceVars):
        name = "in_mind"
    found: Sequence[Any] = getattr(variables, name, ())
    return found


def _without(variables: V, part: TrimmableList, dropped: frozenset[int]) -> V:
    """Return variables without the items of a list at the positions `dropped`."""
    kept = tuple(item for at, item in enumerate(_items(variables, part)) if at not in dropped)
    if part.name == "relations":
        situation = variables.situation
        return replace(
            variables, situation=replace(situation, me=replace(situation.me, relations=dict(kept)))
        )
    if part.name == "memories" and isinstance(variables, UtteranceVars):
        return replace(
            variables, **_restrict_memories(variables, frozenset(memory.id for memory in kept))
        )
    changes: dict[str, Any] = {part.name: kept}
    return replace(variables, **changes)


def _restrict_memories(heard: UtteranceVars, kept: frozenset[int]) -> dict[str, Any]:
    """Return the memories and lines of a conversation, restricted to memories with the given ids."""

    def select(memories: Sequence[Concept]) -> tuple[Concept, ...]:
        return tuple(memory for memory in memories if memory.id in kept)

    return {
        "memories": select(heard.memories),
        "lines": tuple(replace(line, recalled=select(line.recalled)) for line in heard.lines),
    }


def about_tokens(messages: Sequence[Message]) -> int:
    """Estimate the tokens in messages, on the high side for the tokenizers of current models.

    Every four letters of a word, or a rest of them, count one; each digit and sign one; each
    Chinese character five quarters; characters of other scripts by their bytes.

    >>> about_tokens((Message("user", "The kettle is on."),)), about_tokens((Message("user", "水开了。"),))
    (12, 11)
    """
    text = "\n".join(message.content for message in messages)
    beyond = (len(text.encode("utf-8", "replace")) - len(text)) * 5 // 8
    return TOKENS_PER_MESSAGE * len(messages) + len(_PARTS.findall(text)) + beyond
