"""Several models in one run: each kind of prompt, and each level of detail, goes to the model that
the settings name for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from hometown.model.llm import Completion, LanguageModel, Request, context_of

_FOLDERS = re.compile(r"\b(gguf:).*[/\\]")

WITH = " with "
"""Separates the name of the usual model from those of the others."""

_WITH_OTHERS, _NEXT_OTHER = re.compile(rf"{WITH}(?=\w+=)"), re.compile(r", (?=\w+=)")


LEVELS = ("others", "background")
"""Names of the lower levels of detail in a routed model's name."""


class RoutedModel:
    """Uses `usual` for every kind of prompt except those in `by_kind`, and for all residents except
    those whose level of detail has a model of its own.

    `lower` are the models of the lower levels, None for the usual one; `level` returns the level of
    some residents, 0 the highest. The name lists all models: "ollama:a with place=ollama:b,
    others=ollama:c, background=scripted".
    """

    def __init__(
        self,
        usual: LanguageModel,
        by_kind: Mapping[str, LanguageModel],
        lower: Sequence[LanguageModel | None] = (),
        level: Callable[[Sequence[str]], int] = lambda people: 0,
    ) -> None:
        self.usual = usual
        self.by_kind = by_kind
        self.lower = lower
        self.level = level
        named = [
            *sorted(by_kind.items()),
            *((name, model) for name, model in zip(LEVELS, lower, strict=False) if model),
        ]
        self.name = usual.name + WITH + ", ".join(f"{name}={model.name}" for name, model in named)

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply of the model of the residents' level, if it has one of its own, or else
        of the model for this kind of prompt. Raises ModelUnavailable.
        """
        level = self.level(request.people)
        of_level = self.lower[level - 1] if level else None
        model = of_level or self.by_kind.get(request.kind, self.usual)
        return await model.complete(request, seed=seed, priority=priority)

    def context(self, kind: str) -> float:
        """Return the smallest context of all models that may receive this kind of prompt."""
        return min(
            context_of(model, kind)
            for model in (self.by_kind.get(kind, self.usual), *self.lower)
            if model
        )


def model_names(name: str) -> list[str]:
    """Return the names of all models in a model's name, routed or not.

    >>> model_names("ollama:a with place=ollama:b, react=ollama:c"), model_names("scripted")
    (['ollama:a', 'ollama:b', 'ollama:c'], ['scripted'])
    """
    usual, *others = _split(name)
    return [usual, *(other.partition("=")[2] for other in others)]


def usual_name(name: str) -> str:
    """Return the default model of a name that may send some prompts to other models.

    >>> usual_name("ollama:a with place=ollama:b"), usual_name("gguf:/play with models/m.gguf")
    ('ollama:a', 'gguf:/play with models/m.gguf')
    """
    return _split(name)[0]


def public_name(name: str) -> str:
    """Return a model's name without the folders of local files.

    >>> public_name("gguf:/home/ann/m.gguf with place=ollama:b"), public_name(r"gguf:C:\\models\\m.gguf"), public_name("openai:Qwen/Qwen3-8B")
    ('gguf:m.gguf with place=ollama:b', 'gguf:m.gguf', 'openai:Qwen/Qwen3-8B')
    """
    usual, *others = (_FOLDERS.sub(r"\1", part) for part in _split(name))
    return WITH.join(filter(None, (usual, ", ".join(others))))


def _split(name: str) -> list[str]:
    """Return the usual model of a name, and the others as KIND=MODEL. Paths may have the separators
    in them, too.
    """
    usual, *others = _WITH_OTHERS.split(name, maxsplit=1)
    return [usual, *(part for other in others for part in _NEXT_OTHER.split(other))]
