"""One model on several servers that speak OpenAI's protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from hometown.language import Lang
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.openai_server import OpenAIModel, connections
from hometown.model.pins import Pins
from hometown.settings import Settings


class OpenAIServers:
    """One model on several servers, each with its own supported fields and pace."""

    def __init__(self, models: Sequence[OpenAIModel]) -> None:
        self.name = models[0].name
        self.models = models
        self.pins = Pins([model.at for model in models])

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply of a server that answers. Raises ModelBusy if none can at present,
        ModelUnavailable if trying again will not help.
        """
        return await self.pins.ask(
            request.people,
            lambda at: self.models[at].complete(request, seed=seed, priority=priority),
        )

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Load the model of each server, at once (`OpenAIModel.load`). Once all are loaded, pass
        the messages to `notify`, equal ones of several servers once. Raises BadInput if one fails.
        """
        messages: list[str] = []
        await asyncio.gather(*(model.load(lang, messages.append) for model in self.models))
        for message in dict.fromkeys(messages):
            notify(message)

    def context(self, kind: str) -> float:
        """Return the smallest context of all servers, or `llm.num_ctx` if that is smaller."""
        return min(model.context(kind) for model in self.models)


def openai_model(model: str, settings: Settings) -> LanguageModel:
    """Return the model on the servers of the settings, or of the environment. Raises BadInput if no
    address is known.
    """
    models = [OpenAIModel(model, settings, server) for server in connections(settings)]
    return models[0] if len(models) == 1 else OpenAIServers(models)
