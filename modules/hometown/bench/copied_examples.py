"""Find replies that copy a text from the example in their prompt, as small models do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hometown.records import Call

LEAST_WORDS, LEAST_SIGNS = 2, 4
"""Words of a Latin text, or Chinese characters, from which it can be called copied: "bread" alone
is no copy.
"""

_QUOTED = re.compile(r'"([^"\n]*)"(\s*:)?')
"""A text in quotes, and the colon that makes it the name of a field."""


def example_texts(prompt: str) -> set[str]:
    """Return the texts in the examples of a prompt: in the lines that begin as JSON does.

    >>> example_texts('Like this:\\n{"tasks": [{"activity": "shaping the rolls", "minutes": 5}], "note": "none"}')
    {'shaping the rolls'}
    """
    lines = [line for line in prompt.splitlines() if line.lstrip().startswith('{"')]
    return {text for line in lines for text in _texts(line) if _long_enough(text)}


def copies(call: Call) -> bool:
    """Return True if a reply of the model to this call holds a text of the prompt's example, whole;
    never for a run that keeps no prompts.
    """
    shown = {
        text
        for message in call.messages
        if message.role == "user"
        for text in example_texts(message.content)
    }
    return any(text in shown for attempt in call.attempts for text in _texts(attempt.text))


def _texts(json: str) -> Iterator[str]:
    return (
        " ".join(text.split()).casefold().rstrip(".。")
        for text, field in _QUOTED.findall(json)
        if not field
    )


def _long_enough(text: str) -> bool:
    return (
        len(re.findall(r"[^\W\d_]+", text)) >= LEAST_WORDS
        if text.isascii()
        else len(re.findall(r"\w", text)) >= LEAST_SIGNS
    )
