"""Different models for different work: each kind of prompt goes to the model that the settings name for it."""

from __future__ import annotations

from collections.abc import Mapping

from modules.model.llm import Completion, LanguageModel, Request, context_of

WITH = " with "
"""Between the name of the model for most prompts and those of the others."""


class Routed:
    """`usual` for every kind of prompt but those in `by_kind`. The name says all: "ollama:a with place=ollama:b"."""

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


def usual_name(name: str) -> str:
    """The model for most prompts, by the name of a routed or of any other one.

    >>> usual_name("ollama:a with place=ollama:b"), usual_name("scripted")
    ('ollama:a', 'scripted')
    """
    return name.partition(WITH)[0]
