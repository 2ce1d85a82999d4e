"""Writing replies token by token: held to a JSON schema, drawn by a seed, closed before their room runs out.

The grammar is llguidance's. What a model would rather say is cut down to what the schema allows at each token,
so that any model, however small, gives a reply that fits.
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
"""Likeliest tokens that are drawn from; the long tail of a vocabulary is noise."""

HURRY = 96
"""Tokens before the end of its room from which on a reply is brought to a close; half of the room at most."""

AS_WRITTEN = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""Spaces as models have seen them most, and no other: a model that may add blank lines may add them for ever."""


class Grammars:
    """Grammars for one tokenizer, whose `vocabulary` is as long as the model's logits, float[batch, vocabulary]."""

    def __init__(self, tokenizer: LLTokenizer, vocabulary: int) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = vocabulary
        texts = [tokenizer.decode_bytes([token]) for token in range(tokenizer.vocab_size)]
        self.closing = (
            self._those(text == b'"' for text in texts),
            self._those(bool(text) and not text.strip(b"}]") for text in texts),
            self._those(text in (b",", b", ") for text in texts),
            self._those(re.search(rb"\[\s*[^\s\]]", text) is None for text in texts),
        )
        """What ends a text; lists and objects; a number; and all but what begins a list and its first item at once.

        Tried in this order when a reply must come to its end.
        """

    def matcher(self, schema: dict[str, Any]) -> LLMatcher:
        """What follows a reply by its schema. Raises ValueError for a schema that is no grammar."""
        from llguidance import LLMatcher

        matcher = LLMatcher(self.tokenizer, LLMatcher.grammar_from_json_schema(json.dumps(schema), overrides=AS_WRITTEN))
        if matcher.is_error():
            raise ValueError(matcher.get_error())
        return matcher

    def bits(self, mask: bytes) -> Allowed:
        """A mask of llguidance, one bit a token, as bool[vocabulary]."""
        found = np.unpackbits(np.frombuffer(mask, np.uint8), bitorder="little")[: self.vocabulary].astype(bool)
        return np.pad(found, (0, self.vocabulary - len(found)))

    def _those(self, wanted: Any) -> Allowed:
        found = np.fromiter(wanted, bool)[: self.vocabulary]
        return np.pad(found, (0, self.vocabulary - len(found)))


class Row:
    """One reply in the making. `room` is how many tokens it may have; it ends early once `wanted` says no."""

    def __init__(self, grammars: Grammars, schema: dict[str, Any], seed: int, temperature: float, room: int, wanted: Callable[[], bool]) -> None:
        self.grammars = grammars
        self.matcher = grammars.matcher(schema)
        self.temperature = temperature
        self.room = room
        self.wanted = wanted
        self.over = False
        self._hurry = min(HURRY, room // 2)
        self._random = Random(seed)

    def allowed(self) -> Allowed | None:
        """The tokens that may come next, bool[vocabulary]; None if the reply is over."""
        self.over = self.over or self.room <= 1 or self.matcher.is_stopped() or not self.wanted()
        if self.over:
            return None
        allowed = self.grammars.bits(self.matcher.compute_bitmask())
        if self.room <= self._hurry:
            for closing in self.grammars.closing:
                if (fit := allowed & closing).any():
                    return fit
        return allowed

    def choose(self, scores: Sequence[float], tokens: Sequence[int]) -> int:
        """One of the likeliest tokens, best first, drawn by its score (a logit; −inf: not allowed)."""
        if self.temperature <= 0:
            chosen = 0
        else:
            weights = list(accumulate(np.exp((np.array(scores) - scores[0]) / self.temperature).tolist()))
            chosen = bisect(weights, self._random.random() * weights[-1])
        self.room -= 1
        self.over = not self.matcher.consume_token(tokens[chosen])
        return tokens[chosen]


class Sampler:
    """Chooses the next token of each row, as a logits processor for a greedy `generate`: all others get −inf.

    Each row draws from its own seed, so that its reply does not depend on who shares the batch, but for the last
    digits of the scores.
    """

    def __init__(self, rows: Sequence[Row], end: int) -> None:
        self.rows = rows
        self.end = end

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """`input_ids` int[batch, tokens so far], `scores` float[batch, vocabulary]; gives the like of `scores`."""
        import torch

        masks = [row.allowed() for row in self.rows]
        everything = np.ones(scores.shape[1], bool)
        allowed = torch.from_numpy(np.stack([everything if mask is None else mask for mask in masks])).to(scores.device)
        best = scores.float().masked_fill(~allowed, -torch.inf).topk(min(TOP_K, scores.shape[1]))
        values, tokens = best.values.tolist(), best.indices.tolist()
        chosen = [self.end if mask is None else row.choose(values[at], tokens[at]) for at, (row, mask) in enumerate(zip(self.rows, masks, strict=True))]
        only = torch.full_like(scores, -torch.inf)
        only[torch.arange(len(chosen)), chosen] = 0.0
        return only
