"""Quotations from conversations: the best line, cut to the sentences that a reader needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from hometown.history.spread import Topic
from hometown.text import coverage, split_sentences
from hometown.world.conversation import Line

MAX_QUOTE_CHARACTERS = 160
"""Maximum number of characters of a quotation, unless one sentence about its topic is longer."""


QUESTION_MARKS = "?？"

FAREWELL_LINES = 2
"""The number of lines at the end of a conversation in which participants take leave."""

LINES_WITH_FAREWELL = 5
"""The minimum number of lines of a conversation whose end counts as a farewell."""


def without_farewell(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines of a conversation without its last `FAREWELL_LINES`, in which the partners
    take leave; all lines of one with fewer than `LINES_WITH_FAREWELL`.
    """
    return lines[:-FAREWELL_LINES] if len(lines) >= LINES_WITH_FAREWELL else lines


def best_line(
    lines: Iterable[Line],
    topic: Topic | None = None,
    hidden: Callable[[str], bool] | None = None,
    *,
    sentences: int = 4,
    point: str = "",
) -> Line | None:
    """Return the best quotation from some lines, verbatim: with a topic, the excerpt that mentions
    it and has most in common with the point, the first on a tie; without, of the excerpts that are
    short enough and do not end in a question, the one that has most in common with the point of the
    talk, or else the longest. An excerpt is up to `sentences` sentences in a row. None if there is
    none.

    Args:
        lines: The lines, in order.
        topic: The subject of the quotation; None for any.
        hidden: Returns True for a text that must not be quoted.
        sentences: The maximum number of sentences.
        point: The summary of the conversation; "" if a quotation need not be about its point, which
            keeps an aside from standing for a serious talk.
    """
    excerpts = (
        replace(line, text=text) for line in lines for text in _excerpts(line.text, sentences)
    )
    fitting = (
        excerpt
        for excerpt in excerpts
        if (
            topic.is_mentioned_in(excerpt.text)
            if topic
            else len(excerpt.text) <= MAX_QUOTE_CHARACTERS
            and excerpt.text[-1] not in QUESTION_MARKS
        )
        and not (hidden and hidden(excerpt.text))
    )
    if topic:
        return max(fitting, key=lambda excerpt: coverage(excerpt.text, point), default=None)
    return max(fitting, key=lambda excerpt: _worth(excerpt.text, point), default=None)


def _worth(text: str, point: str) -> tuple[int, int]:
    """Return the rank of an excerpt, greater for a better one: how many tenths of a point's
    trigrams it covers, then its length; the shorter the better if it covers any, and otherwise the
    longer.
    """
    tenths = int(10 * coverage(text, point)) if point else 0
    return tenths, -len(text) if tenths else len(text)


def _excerpts(text: str, most: int) -> Iterator[str]:
    """Yield, from each sentence on, the excerpts of at most `most` sentences, the longest first;
    those of several sentences have at most `MAX_QUOTE_CHARACTERS` characters.
    """
    sentences = split_sentences(text)
    for start in range(len(sentences)):
        for end in range(min(start + most, len(sentences)), start, -1):
            excerpt = "".join(sentences[start:end]).strip()
            if len(excerpt) <= MAX_QUOTE_CHARACTERS or end == start + 1:
                yield excerpt
