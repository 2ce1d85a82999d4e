"""Constrained decoding: replies that follow a JSON schema, are sampled with a seed, and end within
their token limit.

The grammar is llguidance's. At each token, the model's choice is restricted to tokens that the
schema allows, so that any model, however small, gives a valid reply.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Sequence
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLTokenizer
    from torch import Tensor

Allowed = NDArray[np.bool_]

TOP_K = 40
"""Number of likeliest tokens that are sampled from; the long tail of a vocabulary is noise."""

CLOSING_TOKENS = 96
"""Tokens reserved at the end of a reply's limit to bring it to its end; at most half of the limit.
"""

SPACING = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""The usual spacing of JSON, as prompts show it, and no other: a model that may add blank lines may
add them without end, and a quarter of a small model's output was line breaks and indentation.
"""


class Grammars:
    """Grammars for one tokenizer, whose `vocabulary` is as long as the model's logits, float[batch,
    vocabulary].
    """

    def __init__(self, tokenizer: LLTokenizer, vocabulary: int) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        texts = [tokenizer.decode_bytes([token]) for token in range(tokenizer.vocab_size)]
        self.closing = (
            self._mask(text == b'"' for text in texts),
            self._mask(bool(text) and not text.strip(b"}]") for text in texts),
            self._mask(text in (b",", b", ") for text in texts),
            self._mask(re.search(rb"\[\s*[^\s\]]", text) is None for text in texts),
        )
        """Tokens that end a string; lists and objects; a number; and all tokens except those that
        begin a list together with its first item.

        Tried in this order when a reply must end.
        """

    def matcher(self, schema: dict[str, Any]) -> LLMatcher:
        """Return a matcher that follows a reply through its schema, token by token. Raises
        ValueError for a schema that cannot be made a grammar.
        """
        from llguidance import LLMatcher

        matcher = LLMatcher(
            self.tokenizer,
            LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=SPACING),
        )
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def bits(self, packed: bytes) -> Allowed:
        """Unpack a mask of llguidance, one bit a token, into bool[vocabulary]."""
        mask = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")[
            : self.vocabulary
        ].astype(bool)
        return np.pad(mask, (0, self.vocabulary - len(mask)))

    def _mask(self, tokens: Any) -> Allowed:
        """Return booleans, one a token, as bool[vocabulary]; missing ones are False."""
        mask = np.fromiter(tokens, bool)[: self.vocabulary]
        return np.pad(mask, (0, self.vocabulary - len(mask)))


class ReplyRow:
    """One reply of a batch, while it is generated. `room` is the number of tokens left for it; it
    ends early once `needed` returns False.
    """

    def __init__(
        self,
        grammars: Grammars,
        schema: dict[str, Any],
        seed: int,
        temperature: float,
        room: int,
        needed: Callable[[], bool],
    ) -> None:
        self.grammars = grammars
        self.matcher = grammars.matcher(schema)
        self.temperature = temperature
        self.room = room
        self.needed = needed
        self.over = False
        self._closing_tokens = min(CLOSING_TOKENS, room // 2)
        self._random = Random(seed)

    def allowed(self) -> Allowed | None:
        """Return the tokens that may come next, bool[vocabulary], or None if the reply is over.
        Near its limit, only tokens that bring it to its end are left, where there are any.
        """
        self.over = self.over or self.room <= 1 or self.matcher.is_stopped() or not self.needed()
        if self.over:
            return None
        allowed = self.grammars.bits(self.matcher.compute_bitmask())
        if self.room <= self._closing_tokens:
            for closing in self.grammars.closing:
                if (fit := allowed & closing).any():
                    return fit
        return allowed

    def choose(self, scores: Sequence[float], tokens: Sequence[int]) -> int:
        """Return one of the likeliest tokens, given best first, sampled by its score (a logit), and
        advance the grammar by it; at temperature 0, the first.
        """
        if self.temperature <= 0:
            chosen = 0
        else:
            weights = list(
                accumulate(np.exp((np.array(scores) - scores[0]) / self.temperature).tolist())
            )
            chosen = bisect(weights, self._random.random() * weights[-1])
        self.room -= 1
        self.over = not self.matcher.consume_token(tokens[chosen])
        return tokens[chosen]


class Sampler:
    """Chooses the next token of each row, as a logits processor for a greedy `generate`: all other
    tokens get −inf.

    Each row draws from its own seed, so that its reply does not depend on who shares the batch, but
    for the last digits of the scores.
    """

    def __init__(self, rows: Sequence[ReplyRow], end: int) -> None:
        self.rows = rows
        self.end = end

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Return scores, float[batch, vocabulary], in which only the chosen token of each row is
        finite; it is chosen among the `TOP_K` best that are allowed, and is the end token for a row
        that has ended.

        Args:
            input_ids: Tokens so far, int[batch, length].
            scores: Logits, float[batch, vocabulary].
        """
        import torch

        masks = [row.allowed() for row in self.rows]
        everything = np.ones(scores.shape[1], bool)
        allowed = torch.from_numpy(
            np.stack([everything if mask is None else mask for mask in masks])
        ).to(scores.device)
        best = scores.float().masked_fill(~allowed, -torch.inf).topk(min(TOP_K, scores.shape[1]))
        values, tokens = best.values.tolist(), best.indices.tolist()
        chosen = [
            self.end if mask is None else row.choose(values[at], tokens[at])
            for at, (row, mask) in enumerate(zip(self.rows, masks, strict=True))
        ]
        only = torch.full_like(scores, -torch.inf)
        only[torch.arange(len(chosen)), chosen] = 0.0
        return only
