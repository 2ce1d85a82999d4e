"""News that is new to its listener: no fact comes back to its source as news, or is learnt twice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from hometown.agent.mind import Mind
from hometown.prompt.dialogue import Learnt
from hometown.text import overlap
from hometown.text_features import STOP_CHARACTERS, STOP_WORDS, features, fold_text
from hometown.world.conversation import Line

LOOKBACK_MEMORIES = 200
"""Number of latest events and thoughts, besides background knowledge, that are compared to news."""

OWN_SHARE = 0.6
"""Share of the content words of news that the listener must have said for it to be their own."""

_SOURCE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
"""A note at the end of a text, such as of its source."""


def find_fresh_news(mind: Mind, lines: Sequence[Line], learnt: Iterable[Learnt]) -> list[Learnt]:
    """Return the news that a listener has neither told in the conversation nor known before.

    News is their own if they said most of its words, and others none of the rest. It was known if
    one memory contains all of its words in the same neighbourhood: an hour, a number or a "not"
    that differs makes it new. `lines` are those that the listener heard, with their own.
    """
    items = [(each, _SOURCE.sub("", each.what)) for each in learnt]
    if not items:
        return []
    own = [line.text for line in lines if line.speaker == mind.who]
    others = [line.text for line in lines if line.speaker != mind.who]
    stream = mind.state.memory(mind.who)
    memories = [*stream.recent(("event", "thought"), LOOKBACK_MEMORIES), *stream.background]
    known = [memory.text for memory in memories]
    return [
        each
        for each, text in items
        if not _is_own(text, own, others) and not _is_contained(text, known)
    ]


def find_teller(what: str, lines: Sequence[Line], others: Sequence[str]) -> str:
    """Return the other participant whose words are most similar to a piece of news."""
    return (
        max(lines, key=lambda line: overlap(line.text, what)).speaker
        if len(others) > 1 and lines
        else others[0]
    )


def _is_own(text: str, own: Iterable[str], others: Iterable[str]) -> bool:
    """Return True if the listener said most of the words of some news, and others none that the
    listener did not say.
    """
    words = _content_words([text])
    said = words & _content_words(own)
    return (
        bool(said)
        and len(said) >= OWN_SHARE * len(words)
        and (words & _content_words(others) <= said)
    )


def _is_contained(text: str, known: Iterable[str]) -> bool:
    """Return True if one of the known texts contains all words of a text in the same neighbourhood;
    only those that have its words at all are compared.
    """
    wanted = set(features(text))
    units = sorted({unit for kind, unit in wanted if kind != "pair"}, key=len, reverse=True)
    return any(
        wanted.issubset(features(other))
        for other in known
        if all(map(fold_text(other).__contains__, units))
    )


def _content_words(texts: Iterable[str]) -> set[str]:
    """Return the words of texts that are no function words; of Chinese, the pairs of characters."""
    return {
        unit
        for kind, unit in chain.from_iterable(map(features, texts))
        if (kind == "word" and unit not in STOP_WORDS)
        or (kind == "han" and len(unit) == 2 and not STOP_CHARACTERS.intersection(unit))
    }
