"""A model in this process whose library returns anything, or raises it: what an odd response is to
a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from hometown.model.retrying import PROBE_TOKENS
from hometown.settings import Settings

LONGEST = 1500
"""Tokens of a reply, as many as any prompt allows: a library stops there by itself."""

PACKAGES = ("torch", "transformers", "llguidance")

Generate = Callable[..., Any]


def installed() -> bool:
    """Whether there are the packages that such a model needs."""
    return all(find_spec(name) for name in PACKAGES)


class InProcess:
    """A small model of random weights, whose `generate` is replaced."""

    def __init__(self, folder: Path) -> None:
        from hometown.model.huggingface import HuggingFaceModel
        from tests.support.tiny_model import make_tiny_model

        self.model = HuggingFaceModel(str(make_tiny_model(folder)), Settings())
        self._tokenizer: Any = self.model._tokenizer

    @contextmanager
    def generating(self, generate: Generate) -> Iterator[None]:
        """While the context lasts, replies are what `generate` makes of the padded prompts; a probe
        gets a good one.
        """
        before = self.model._model.generate

        def generated(prompts: Any, *, max_new_tokens: int, **_: Any) -> Any:
            return (
                self._written(prompts, ['{"ok": true}'])
                if max_new_tokens == PROBE_TOKENS
                else generate(prompts)
            )

        self.model._model.generate = generated
        try:
            yield
        finally:
            self.model._model.generate = before

    def saying(self, texts: Sequence[str]) -> Generate:
        """Generates these texts, one for each prompt of a batch."""
        return lambda prompts: self._written(prompts, texts)

    def _written(self, prompts: Any, texts: Sequence[str]) -> Any:
        import torch

        tokens = [
            self._tokenizer(text[: 4 * LONGEST], add_special_tokens=False)["input_ids"][:LONGEST]
            for text in texts
        ]
        longest = max(map(len, tokens))
        ends = [[*line, *[self.model._ends[0]] * (longest + 1 - len(line))] for line in tokens]
        return torch.cat((prompts, torch.tensor(ends, device=prompts.device)), dim=1)

    def odd(self, number: int) -> Generate:
        """Something that no `generate` should return, or an exception that it should not raise."""
        import torch

        chance = Random(number)

        def noise(low: int, high: int) -> Generate:
            return lambda prompts: torch.cat(
                (
                    prompts,
                    torch.randint(
                        low, high, (len(prompts), chance.randint(1, 40)), device=prompts.device
                    ),
                ),
                dim=1,
            )

        def raised(error: BaseException) -> Generate:
            def generate(_: Any) -> Any:
                raise error

            return generate

        made: list[Generate] = [
            noise(0, 1500),
            noise(0, 1500),
            noise(1500, 10**6),
            noise(-(10**6), 0),
            noise(2**40, 2**50),
            lambda prompts: prompts,
            lambda prompts: prompts[:, :1],
            lambda prompts: prompts[:0],
            lambda prompts: prompts[0],
            lambda prompts: torch.cat((prompts, prompts)),
            lambda prompts: prompts.float() * float("nan"),
            lambda prompts: prompts.bool(),
            lambda _: None,
            lambda _: "text",
            lambda prompts: prompts.tolist(),
            lambda _: torch.zeros(()),
            lambda _: {"sequences": []},
            *(
                raised(kind(text))
                for kind in ERRORS
                for text in ("", "CUDA error: \x1b[2J\u202e\nsecond line", "x" * 5000)
            ),
            raised(torch.cuda.OutOfMemoryError("out of memory")),
        ]
        return chance.choice(made)


ERRORS: tuple[type[Exception], ...] = (
    RuntimeError,
    ValueError,
    KeyError,
    MemoryError,
    RecursionError,
    AssertionError,
    OSError,
    NotImplementedError,
    StopIteration,
)
