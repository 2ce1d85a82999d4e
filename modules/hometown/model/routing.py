"""Several models in one run: each kind of prompt goes to the model that the settings name for it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hometown.model.llm import Completion, LanguageModel, Request, context_of

_FOLDERS = re.compile(r"\b(gguf:).*[/\\]")

WITH = " with "
"""Between the name of the model for most prompts and those of the others."""


class RoutedModel:
    """`usual` for every kind of prompt except those in `by_kind`. The name lists them all: "ollama:a with place=ollama:b"."""

    def __init__(self, usual: LanguageModel, by_kind: Mapping[str, LanguageModel]) -> None:
        self.usual = usual
        self.by_kind = by_kind
        self.name = usual.name + WITH + ", ".join(f"{kind}={model.name}" for kind, model in sorted(by_kind.items()))

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The reply of the model for this kind of prompt. Raises ModelUnavailable."""
        return await self.by_kind.get(request.kind, self.usual).complete(request, seed=seed, priority=priority)

    def context(self, kind: str) -> float:
        """That of the model for this kind of prompt."""
        return context_of(self.by_kind.get(kind, self.usual), kind)


def model_names(name: str) -> list[str]:
    """The names of all models, from that of a routed or of any other model.

    >>> model_names("ollama:a with place=ollama:b, react=ollama:c"), model_names("scripted")
    (['ollama:a', 'ollama:b', 'ollama:c'], ['scripted'])
    """
    usual, routed, others = name.partition(WITH)
    return [usual, *(other.partition("=")[2] for other in others.split(", ") if routed)]


def usual_name(name: str) -> str:
    """The name of the model for most prompts, from that of a routed or of any other model.

    >>> usual_name("ollama:a with place=ollama:b"), usual_name("scripted")
    ('ollama:a', 'scripted')
    """
    return name.partition(WITH)[0]


def public_name(name: str) -> str:
    """A model's name as it is shown: without the folders of a file on somebody's machine.

    >>> public_name("gguf:/home/ann/m.gguf with place=ollama:b"), public_name(r"gguf:C:\\models\\m.gguf"), public_name("openai:Qwen/Qwen3-8B")
    ('gguf:m.gguf with place=ollama:b', 'gguf:m.gguf', 'openai:Qwen/Qwen3-8B')
    """
    usual, routed, others = name.partition(WITH)
    parts = [usual, *(others.split(", ") if routed else [])]
    usual, *shown = (_FOLDERS.sub(r"\1", part) for part in parts)
    return usual + routed + ", ".join(shown)
