"""Models of HuggingFace's transformers, run in this process: a local folder or a name in the local
cache.

Nothing is downloaded. Requests that come at once are generated together, in one worker thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from hometown.errors import BadInput, ModelUnavailable, ModelUnusable, TooLong, first_line
from hometown.model.decoding import Grammars, ReplyRow, Sampler
from hometown.model.embedding_huggingface import (
    HUGGINGFACE,
    quiet_and_offline,
    refuse_unloadable,
)
from hometown.model.llm import Completion, Request
from hometown.paths import pip_command
from hometown.records import Message
from hometown.settings import Settings

COLLECTING_TURNS = 20
"""Turns of the event loop for which a batch is collected: callers that the last batch has answered
ask again within a few turns.

They are turns and not milliseconds, so that the same town makes the same batches.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A request in progress. `reply` is cancelled when its caller no longer waits for it."""

    request: Request
    seed: int
    priority: int
    tokens: list[int]
    reply: asyncio.Future[Completion]


class HuggingFaceModel:
    """A causal language model with its tokenizer, on the GPU if there is one.

    The same seed gives the same reply in the same batch; in another batch the last digits of a
    score may differ, and rarely a word. Raises BadInput where the packages or the model are
    missing, or the model can't be loaded.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = HUGGINGFACE + model
        self.slots = settings.machine.slots
        with refuse_unloadable(self.name):
            self._model, self._tokenizer = _load(model)
            self._ends = _configure_ends(self._model, self._tokenizer)
            config = self._model.config.get_text_config()
            self._context: float = getattr(config, "max_position_embeddings", None) or inf
            self._grammars = _grammars(
                self._tokenizer, self._ends, self._model.get_output_embeddings().weight.shape[0]
            )
        self._waiting: list[_Job] = []
        self._worker: asyncio.Task[None] | None = None
        self._generation_lock = threading.Lock()

    @property
    def device(self) -> str:
        """The device of the model: "cuda:0", "mps", "cpu"."""
        return str(self._model.device)

    def context(self, kind: str) -> float:
        """Return the context that the model was trained for, in tokens."""
        return self._context

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply to one request, generated together with those that come within
        `COLLECTING_TURNS` turns of the loop. Raises TooLong, ModelUnusable, ModelUnavailable.
        """
        tokens = self._prompt(request)
        job = _Job(request, seed, priority, tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await job.reply

    async def _work(self) -> None:
        """Generate batch after batch, each of at most `slots` requests by priority, until no
        request is waiting.
        """
        loop = asyncio.get_running_loop()
        while self._waiting:
            for _ in range(COLLECTING_TURNS):
                await asyncio.sleep(0)
            batch = sorted(
                (job for job in self._waiting if not job.reply.done()), key=lambda job: job.priority
            )[: self.slots]
            self._waiting = [
                job for job in self._waiting if not job.reply.done() and job not in batch
            ]
            if not batch:
                continue
            try:
                replies = await asyncio.to_thread(self._generate_or_fail, batch, loop)
            except asyncio.CancelledError:
                for job in batch + self._waiting:
                    job.reply.cancel()
                raise
            for job, reply in zip(batch, replies, strict=True):
                _resolve(job.reply, reply)

    def _generate_or_fail(
        self, batch: Sequence[_Job], loop: asyncio.AbstractEventLoop
    ) -> Sequence[Completion | ModelUnavailable]:
        """Return the replies of a batch, or the failure for every caller: transformers and torch
        raise exceptions of any kind, and some of them cannot leave a thread.
        """
        try:
            return self._generate(batch, loop)
        except Exception as error:
            return [self._failure(error)] * len(batch)

    def _generate(self, batch: Sequence[_Job], loop: asyncio.AbstractEventLoop) -> list[Completion]:
        """Return the replies of a batch, its prompts padded on the left; their texts are passed to
        the requests' `on_text` meanwhile.
        """
        import torch

        rows = [
            ReplyRow(
                self._grammars,
                job.request.schema,
                job.seed,
                job.request.temperature,
                job.request.max_tokens,
                lambda job=job: not job.reply.cancelled(),  # type: ignore[misc]
            )
            for job in batch
        ]
        longest = max(len(job.tokens) for job in batch)
        padded = torch.tensor(
            [[self._ends[0]] * (longest - len(job.tokens)) + job.tokens for job in batch],
            device=self._model.device,
        )
        mask = torch.tensor(
            [[0] * (longest - len(job.tokens)) + [1] * len(job.tokens) for job in batch],
            device=self._model.device,
        )
        with self._generation_lock, torch.inference_mode():
            written = self._model.generate(
                padded,
                attention_mask=mask,
                max_new_tokens=max(job.request.max_tokens for job in batch),
                logits_processor=[Sampler(rows, self._ends[0])],
                streamer=_TextStreamer(batch, self._text, loop),
            )
        return [
            self._completion(job, tokens)
            for job, tokens in zip(batch, written[:, longest:].tolist(), strict=True)
        ]

    def _completion(self, job: _Job, tokens: list[int]) -> Completion:
        """Return the reply in the tokens written for a job, up to the one that ends it."""
        length = next((at for at, token in enumerate(tokens) if token in self._ends), len(tokens))
        return Completion(self._text(tokens[:length]), len(job.tokens), length)

    def _text(self, tokens: list[int]) -> str:
        text: str = self._tokenizer.decode(
            tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return text

    def _prompt(self, request: Request) -> list[int]:
        """Return the tokens of a prompt. Raises TooLong if they leave no room for the reply, and
        ModelUnusable if the model's template, which is a program, fails.
        """
        try:
            text, complete = _chat_text(self._tokenizer, request.messages)
        except Exception as error:
            raise ModelUnusable(
                "{name}: its chat template fails ({kind}: {reason}); take a model that chats",
                name=self.name,
                kind=type(error).__name__,
                reason=first_line(error),
            ) from error
        tokens: list[int] = self._tokenizer(text, add_special_tokens=not complete)["input_ids"]
        if len(tokens) + request.max_tokens > self._context:
            raise TooLong(
                "{name}: the prompt {kind!r} has {count} tokens and its reply up to {max_tokens}, more than the model's context of {context};"
                " use a model with a longer one",
                name=self.name,
                kind=request.kind,
                count=len(tokens),
                max_tokens=request.max_tokens,
                context=self._context,
            )
        return tokens

    def _failure(self, error: Exception) -> ModelUnavailable:
        """Return the error for callers, with advice where the GPU is out of memory."""
        from torch.cuda import OutOfMemoryError

        if isinstance(error, OutOfMemoryError):
            return ModelUnavailable(
                "{name}: out of GPU memory with up to {slots} replies at once; lower machine.slots, or use a smaller model",
                name=self.name,
                slots=self.slots,
            )
        return ModelUnavailable(
            "{name}: generation failed: {reason}", name=self.name, reason=first_line(error)
        )


class _TextStreamer:
    """A streamer for transformers: passes the text of each reply so far to the request's `on_text`,
    in the thread of `loop`.
    """

    def __init__(
        self,
        batch: Sequence[_Job],
        text: Callable[[list[int]], str],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._listeners = {
            row: job.request.on_text for row, job in enumerate(batch) if job.request.on_text
        }
        self._chat_text: list[list[int]] | None = None
        self._text, self._loop = text, loop

    def put(self, tokens: Any) -> None:
        """Receive one token for each reply, int[batch]; the first call receives the prompts,
        int[batch, longest].
        """
        if self._chat_text is None:
            self._chat_text = [[] for _ in tokens]
            return
        for row, token in enumerate(tokens.tolist()):
            self._chat_text[row].append(token)
        for row, on_text in self._listeners.items():
            self._loop.call_soon_threadsafe(on_text, self._text(self._chat_text[row]))

    def end(self) -> None: ...


def _resolve(future: asyncio.Future[Completion], reply: Completion | BaseException) -> None:
    """Set the result or the error of a future, unless it is done or cancelled."""
    if future.done():
        return
    if isinstance(reply, BaseException):
        future.set_exception(reply)
    else:
        future.set_result(reply)


def _chat_text(tokenizer: Any, messages: Sequence[Message]) -> tuple[str, bool]:
    """Return messages as one text, and whether it holds all special tokens: formatted with the
    tokenizer's chat template, or as plain text without one.

    Some templates support no system message; it is then put before the first message of the user.
    """
    from jinja2 import TemplateError

    if not tokenizer.chat_template:
        return "".join(
            f"{message.role.capitalize()}: {message.content}\n\n" for message in messages
        ) + "Assistant:", False
    chat = [{"role": message.role, "content": message.content} for message in messages]
    joined = [
        {"role": "user", "content": "\n\n".join(message["content"] for message in chat[:2])},
        *chat[2:],
    ]
    try:
        return tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, enable_thinking=False
        ), True
    except TemplateError:
        return tokenizer.apply_chat_template(
            joined, tokenize=False, add_generation_prompt=True, enable_thinking=False
        ), True


def _load(source: str) -> tuple[Any, Any]:
    """Return the model, on a GPU if there is one, and its tokenizer. Raises BadInput where the
    folder, the model or a package is missing.
    """
    quiet_and_offline()
    folder = Path(source).expanduser()
    if (folder.is_absolute() or source.startswith(".")) and not folder.is_dir():
        raise BadInput(
            "huggingface:{source}: there is no folder {folder!r}; give one that contains a transformers model",
            source=source,
            folder=str(folder),
        )
    try:
        import llguidance  # noqa: F401
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise BadInput(
            "huggingface:{source} needs packages that are not installed ({package}): {command}",
            source=source,
            package=error.name,
            command=pip_command("huggingface"),
        ) from error
    logging.disable_progress_bar()
    where = str(folder) if folder.is_dir() else source
    device = (
        "cuda"
        if torch.cuda.is_available()
        else "mps"
        if torch.backends.mps.is_available()
        else "cpu"
    )
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(
            where, local_files_only=True, dtype=torch.float32 if device == "cpu" else "auto"
        )
    except (OSError, ValueError) as error:
        raise BadInput(
            "huggingface:{source}: no language model of that name on this machine ({reason}); give the folder that contains it, or download it beforehand",
            source=source,
            reason=first_line(error),
        ) from error
    return model.to(device).eval(), tokenizer


def _configure_ends(model: Any, tokenizer: Any) -> list[int]:
    """Configure the model to end a reply at its own and its tokenizer's end tokens, and not to
    sample, since `Sampler` chooses. Return these tokens.
    """
    from transformers import GenerationConfig

    named = model.generation_config.eos_token_id
    ends = [*(named if isinstance(named, list) else [named]), tokenizer.eos_token_id]
    tokens = list(dict.fromkeys(token for token in ends if token is not None)) or [0]
    model.generation_config = GenerationConfig(
        do_sample=False, eos_token_id=tokens, pad_token_id=tokens[0]
    )
    return tokens


def _grammars(tokenizer: Any, ends: list[int], vocabulary: int) -> Grammars:
    from llguidance.hf import from_tokenizer

    return Grammars(
        from_tokenizer(tokenizer, n_vocab=max(vocabulary, len(tokenizer)), eos_token=ends),
        vocabulary,
    )
