"""Probabilities of tokens as servers report them, in the form of OpenAI and Ollama."""

from __future__ import annotations

import re
from math import log
from typing import Any

OTHER = "…"
"""The token that might have been in the place of any other."""


def weighed(text: str, count: int) -> list[dict[str, Any]]:
    """The tokens of a text, which are words, numbers and signs: each has three quarters, another one
    a quarter. Of a Chinese character, a token holds the first byte or the others.
    """
    return [
        _token(token, 0.75)
        | {"top_logprobs": [_token(token, 0.75), _token(OTHER.encode(), 0.25)][:count]}
        for part in re.findall(r"[^\W\d]+|\d|\W", text)
        for token in ([part.encode()] if part.isascii() else [part.encode()[:1], part.encode()[1:]])
    ]


def _token(token: bytes, probability: float) -> dict[str, Any]:
    return {
        "token": token.decode("utf-8", "replace"),
        "logprob": log(probability),
        "bytes": list(token),
    }
