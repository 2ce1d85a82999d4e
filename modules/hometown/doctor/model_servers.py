"""Models as `--doctor` examines them: a model server through its own protocol, any other backend
through the boundary that runs use.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from hometown.backends import make_model, split_spec
from hometown.errors import HometownError, ModelUnavailable, first_line
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.api_address import find_models
from hometown.model.connection import ErrorResponse, translate_failures
from hometown.model.envelope import member
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.llm import Completion, LanguageModel, Loading, context_of
from hometown.model.ollama import THINK, OllamaModel, Think, ollama_unavailable
from hometown.model.ollama import WAYS as OLLAMA_WAYS
from hometown.model.ollama_hosts import HINT as OLLAMA_HINT
from hometown.model.ollama_hosts import hosts, models_at, server_at
from hometown.model.openai_server import HINT as OPENAI_HINT
from hometown.model.openai_server import OpenAIModel, connection, openai_unavailable
from hometown.model.question import QUESTIONS, line_request
from hometown.model.reply_parsing import answer_in_reasoning
from hometown.model.retrying import notify_user
from hometown.model.server_context import ollama_context, openai_context
from hometown.model.ways import CHECK_SEED, Way, obeys
from hometown.prompt.dialogue import UTTERANCE
from hometown.settings import Settings
from hometown.text import Phrase

if TYPE_CHECKING:
    from ollama import ChatResponse

T = TypeVar("T")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"say": {"type": "string"}, "end": {"type": "boolean"}},
    "required": ["say", "end"],
    "additionalProperties": False,
}
"""The schema of a line of dialogue, the most frequent request of runs, without the pattern that some
servers don't support.
"""


NO_HINT = Phrase("")

UNEXPLAINED = (Cause.REPLY, Cause.ENDPOINT, Cause.OTHER)
"""Causes for which the examination has better advice than a run."""


class Unanswered(HometownError):
    """A server cannot be reached or refuses a request; the message gives its reason. `answered`
    says that it refuses, so that it runs; `remedy` is the line of a run that meets the same.
    """

    answered = False
    remedy: ModelUnavailable | None = None


@frozen
class Described:
    """A model's context in tokens (0 if unknown), and its size and quantisation in words."""

    context: int
    kind: str


@frozen
class Answer:
    """A reply; `reasoned` says that reasoning came before it. `reading` and `writing` are the
    seconds of prompt and reply, 0 if unknown.
    """

    text: str
    reasoned: bool
    prompt_tokens: int
    reply_tokens: int
    reading: float = 0.0
    writing: float = 0.0


class Server(Protocol):
    """A server under examination, or a model that needs none. All methods may raise Unanswered."""

    backend: str
    where: str
    """The address at which the server answers."""

    corrected: str
    """The address in the settings, if the API was found elsewhere; else ""."""

    async def version(self) -> str:
        """Return the version of the server's program; "" if it has none."""
        ...

    async def models(self) -> list[str]: ...

    async def describe(self, model: str) -> Described: ...

    async def gpu_share(self, model: str) -> float | None:
        """Return the share of a loaded model in GPU memory, 0–1; None if unknown."""
        ...

    async def ask(self, model: str, question: str, lang: Lang) -> Answer:
        """Return the reply to a question that asks for a line of dialogue in `lang`."""
        ...

    async def learn(self, model: str, lang: Lang) -> Way | None:
        """Return the way of asking that the model obeys, in which all later questions are asked;
        None if it obeys none, or if there is a single way.
        """
        ...

    async def close(self) -> None: ...


def servers_for(spec: str, settings: Settings, ui_lang: Lang) -> list[Server]:
    """Return the servers that a run on this model would use, or the model itself, which announces in
    `ui_lang` that it is loading.

    Raises:
        BadInput: The backend is unknown, or an address is invalid.
    """
    backend, _ = split_spec(spec)
    if backend == "ollama":
        return [OllamaProbe(host, settings, spec) for host in hosts(settings)]
    if backend == "openai":
        return [OpenAIServer(settings, spec)]
    return [ModelItself(spec, settings, ui_lang)]


class OllamaProbe:
    """Ollama through its own package."""

    backend = "ollama"

    def __init__(self, host: str, settings: Settings, spec: str) -> None:
        self._host, self._spec = host, spec
        self._server, self._way = server_at(host), OLLAMA_WAYS[0]
        self.where, self.corrected = self._server.shown, ""
        self._settings = settings

    async def version(self) -> str:
        async with self._failures():
            return member(
                await self._server.connection.json("GET", "api/version"), "version", str, ""
            )

    async def models(self) -> list[str]:
        async with self._failures():
            return sorted(await models_at(self._server))

    async def describe(self, model: str) -> Described:
        """Return the model's context, with its size and quantisation if the server gives them."""
        async with self._failures():
            context = await ollama_context(self._server, model)
            with self._server.as_published():
                shown = await self._server.api.show(model)
            kinds = (
                (shown.details.parameter_size, shown.details.quantization_level)
                if shown.details
                else ()
            )
            return Described(context, " ".join(filter(None, kinds)))

    async def gpu_share(self, model: str) -> float | None:
        """Return the share of the loaded model in GPU memory; None if it is not loaded."""
        async with self._failures():
            with self._server.as_published():
                running = (await self._server.api.ps()).models
            loaded = next(
                (
                    entry
                    for entry in running
                    if entry.model in (model, f"{model}:latest") and entry.size
                ),
                None,
            )
            return (loaded.size_vram or 0) / loaded.size if loaded and loaded.size else None

    async def ask(self, model: str, question: str, lang: Lang) -> Answer:
        """Return the reply to a question, asked in the way learned; where the model has no thinking
        to turn off, without that option. An answer given in the reasoning counts.
        """
        async with self._failures():
            try:
                answer = await self._chat(model, question, THINK[self._way.thinking])
            except ErrorResponse as refused:
                if "think" not in refused.detail:
                    raise
                answer = await self._chat(model, question)  # the model has no thinking to turn off
            message, tokens = (
                answer.message,
                (answer.prompt_eval_count or 0, answer.eval_count or 0),
            )
            seconds = (answer.prompt_eval_duration or 0) / 1e9, (answer.eval_duration or 0) / 1e9
            thinking = message.thinking or ""
            text = message.content or answer_in_reasoning(thinking)
            return Answer(text, bool(thinking), *tokens, *seconds)

    async def learn(self, model: str, lang: Lang) -> Way | None:
        async with self._failures():
            way = await _learn_way(OllamaModel(model, self._settings), lang)
            self._way = way or self._way
            return way

    async def _chat(self, model: str, question: str, think: Think = None) -> ChatResponse:
        """Send a question with the options of a line of dialogue; return the response."""
        options = {
            "num_ctx": self._settings.llm.num_ctx,
            "num_predict": UTTERANCE.max_tokens + self._way.extra_tokens,
            "temperature": 0.2,
            "seed": 1,
        }
        messages = [{"role": "user", "content": question}]
        with self._server.as_published():
            return await self._server.api.chat(
                model,
                messages,
                format=SCHEMA if self._way.form == "json_schema" else None,
                options=options,
                think=think,
                keep_alive=self._settings.llm.keep_alive,
                stream=False,
            )

    def _failures(self) -> AbstractAsyncContextManager[None]:
        def explain(refused: ErrorResponse) -> ModelUnavailable:
            num_ctx = self._settings.llm.num_ctx
            return ollama_unavailable(self._spec, self._host, refused, UTTERANCE.kind, num_ctx)

        return _report_failures("ollama", self.where, OLLAMA_HINT, explain)

    async def close(self) -> None:
        await self._server.close()


class OpenAIServer:
    """Any OpenAI-compatible server. The key comes from OPENAI_API_KEY alone; local servers need
    none.
    """

    backend = "openai"

    def __init__(self, settings: Settings, spec: str) -> None:
        self._server, self._settings, self._spec = connection(settings), settings, spec
        self._model = self._make_model()
        self.where, self.corrected = self._server.shown, ""

    async def version(self) -> str:
        """Return "" once the server has answered: the protocol has no version."""
        await self._models()
        return ""

    async def models(self) -> list[str]:
        return [member(listed, "id", str, "") for listed in await self._models()]

    async def describe(self, model: str) -> Described:
        """Return the context of the model, where the server tells it."""
        async with self._failures():
            return Described(await openai_context(self._server, model), "")

    async def _models(self) -> list[dict[str, Any]]:
        """Return the models that the server lists, as in its response. If its API is found at
        another address than the settings give, set `where` to the address found and `corrected` to
        that in the settings.
        """
        async with self._failures():
            models = await find_models(self._server)
            if self.where != self._server.shown:
                self.corrected, self.where = self.where, self._server.shown
            return models

    async def gpu_share(self, model: str) -> float | None:
        return None

    async def learn(self, model: str, lang: Lang) -> Way | None:
        async with self._failures():
            asked = self._make_model()
            way = await _learn_way(asked, lang)
            self._model = asked if way else self._model
            return way

    async def ask(self, model: str, question: str, lang: Lang) -> Answer:
        """Return the reply to a question, asked as a run asks: in the way learned, and without the
        fields that the server rejects.
        """
        async with self._failures():
            return _answer_of(await self._model.complete(line_request(question, lang), seed=1))

    def _make_model(self) -> OpenAIModel:
        """Return the model as a run creates it, on this server."""
        return OpenAIModel(split_spec(self._spec)[1], self._settings, self._server)

    def _failures(self) -> AbstractAsyncContextManager[None]:
        def explain(refused: ErrorResponse) -> ModelUnavailable:
            return openai_unavailable(self._spec, self.where, refused, UTTERANCE.kind)

        return _report_failures("openai", self.where, OPENAI_HINT, explain)

    async def close(self) -> None:
        await self._server.close()


class ModelItself:
    """A model of this process, of a server process of the run's own, or of a registered backend: it
    is created, and asked through `complete`, as in runs.
    """

    def __init__(self, spec: str, settings: Settings, ui_lang: Lang) -> None:
        self.backend, self.where = split_spec(spec)
        self.corrected = ""
        self._spec, self._settings, self._ui_lang = spec, settings, ui_lang
        self._model: LanguageModel | None = None

    async def version(self) -> str:
        """Create the model in a daemon thread, load it if that is a step of its own, and return its
        device, "" if it names none.
        """
        async with _report_failures():
            self._model = await _run_in_daemon(lambda: make_model(self._spec, self._settings))
            if isinstance(self._model, Loading):
                await self._model.load(self._ui_lang, notify_user)
        return str(getattr(self._model, "device", ""))

    async def models(self) -> list[str]:
        return [self.where]

    async def describe(self, model: str) -> Described:
        assert self._model is not None
        context = context_of(self._model, UTTERANCE.kind)
        return Described(
            0 if context == inf else int(context), str(getattr(self._model, "kind", ""))
        )

    async def gpu_share(self, model: str) -> float | None:
        return None

    async def ask(self, model: str, question: str, lang: Lang) -> Answer:
        """Ask the model a question as a run does, with a schema, and return its answer. The
        stand-in, which reads variables and no text, gets those of a greeting instead.
        """
        assert self._model is not None
        async with _report_failures():
            return _answer_of(await self._model.complete(line_request(question, lang), seed=1))

    async def learn(self, model: str, lang: Lang) -> Way | None:
        return None

    async def close(self) -> None: ...


def _answer_of(completion: Completion) -> Answer:
    """Return a reply as a run receives it."""
    return Answer(
        completion.text,
        completion.reasoned,
        completion.prompt_tokens,
        completion.reply_tokens,
        completion.read_ms / 1000,
        completion.write_ms / 1000,
    )


async def _learn_way(model: OllamaModel | OpenAIModel, lang: Lang) -> Way | None:
    """Return the way of asking that a model obeys now, None if there is none; one that was
    kept may have ceased to be obeyed.
    """
    request = line_request(QUESTIONS[lang], lang)
    await model.load(lang, lambda _: None)
    completion = await model.complete(request, seed=CHECK_SEED)
    return model.way.current if obeys(request, completion) else None


async def _run_in_daemon(work: Callable[[], T]) -> T:
    """Return the result of blocking work, in a daemon thread."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def resolve(value: T | None, error: Exception | None) -> None:
        if result.done():
            return
        if error is None:
            result.set_result(cast(T, value))
        else:
            result.set_exception(error)

    def run() -> None:
        value = None
        failure = None
        try:
            value = work()
        except Exception as error:  # raised again where the result is awaited
            failure = error
        with suppress(RuntimeError):  # the loop is closed: the result is not awaited any more
            loop.call_soon_threadsafe(resolve, value, failure)

    threading.Thread(target=run, daemon=True).start()
    return await result


@asynccontextmanager
async def _report_failures(
    backend: str = "",
    where: str = "",
    hint: Phrase = NO_HINT,
    explain: Callable[[ErrorResponse], ModelUnavailable] | None = None,
) -> AsyncIterator[None]:
    """Turn all failures during the context into Unanswered: servers and backends may raise any.

    `where` and `hint` are those of a server, `explain` returns a run's error for its refusal. Keys are in headers, which no message repeats.
    """
    try:
        async with translate_failures(backend, where, hint):
            yield
    except ErrorResponse as refused:
        raise _unanswered(refused, explain) from refused
    except HometownError as error:
        if isinstance(error.__cause__, ErrorResponse):
            raise _unanswered(error.__cause__, explain) from error
        raise Unanswered(error.lines) from error
    except Exception as error:
        raise Unanswered(first_line(error)) from error


def _unanswered(
    refused: ErrorResponse, explain: Callable[[ErrorResponse], ModelUnavailable] | None
) -> Unanswered:
    """Return the error for a refusal, with the remedy that a run would name."""
    unanswered = Unanswered("{status}: {detail}", status=refused.status, detail=refused.detail)
    unanswered.answered = True
    if explain and cause_of(refused) not in UNEXPLAINED:
        unanswered.remedy = explain(refused)
    return unanswered
