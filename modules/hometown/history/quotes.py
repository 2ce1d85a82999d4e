"""Quotations from conversations: the best line, cut to the sentences that a reader needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hometown.history.spread import Topic
from hometown.text import split_sentences
from hometown.world.conversation import Line

MAX_QUOTE_CHARACTERS = 160
"""Maximum number of characters of a quotation, unless one sentence about its topic is longer."""


def best_line(
    lines: Iterable[Line],
    topic: Topic | None = None,
    hidden: Callable[[str], bool] | None = None,
    *,
    sentences: int = 4,
) -> str:
    """Return the best quotation from some lines: of those with a topic the first sentence that
    mentions it, else the longest sentences in a row that are short enough; "" if there are none.

    Args:
        lines: The lines, in order.
        topic: The subject of the quotation; None for any.
        hidden: Returns True for a text that must not be quoted.
        sentences: The maximum number of sentences.
    """
    found = ""
    for line in lines:
        for text in _excerpts([each.strip() for each in split_sentences(line.text)], sentences):
            unfit = len(text) > MAX_QUOTE_CHARACTERS
            if topic:
                unfit = not topic.is_mentioned_in(text)
            if unfit or (hidden and hidden(text)):
                continue
            if topic:
                return text
            found = max(found, text, key=len)
    return found


def _excerpts(sentences: list[str], most: int) -> Iterator[str]:
    """Yield each sentence with as many of those that follow it as are short enough."""
    for start, sentence in enumerate(sentences):
        text = sentence
        for following in sentences[start + 1 : start + most]:
            longer = f"{text} {following}" if text.isascii() or " " in text else text + following
            if len(longer) > MAX_QUOTE_CHARACTERS:
                break
            text = longer
        yield text
