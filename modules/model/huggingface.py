"""Models of HuggingFace's transformers, run in this process: a local folder or a name in the local cache.

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

from modules.errors import BadInput, ModelUnavailable, TooLong
from modules.model.decoding import Grammars, Row, Sampler
from modules.model.embedding import HUGGINGFACE, quiet_and_offline
from modules.model.llm import Completion, Message, Request
from modules.settings import Settings

TURNS = 20
"""Turns of the event loop in which a batch is collected: whoever was woken by the one before asks again within a few.

Turns and not milliseconds, so that the same town makes the same batches.
"""


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A request under way. `reply` is cancelled when nobody waits for it any more."""

    request: Request
    seed: int
    priority: int
    tokens: list[int]
    reply: asyncio.Future[Completion]


class HuggingFaceModel:
    """A causal language model with its tokenizer, on the GPU if there is one.

    The same seed gets the same reply from the same batch; in another one the last digits of a score may differ,
    and with them, rarely, a word. Raises BadInput where the packages or the model are missing.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = HUGGINGFACE + model
        self.slots = settings.machine.slots
        self._model, self._tokenizer = _loaded(model)
        self._ends = _ends(self._model, self._tokenizer)
        config = self._model.config.get_text_config()
        self._context: float = getattr(config, "max_position_embeddings", None) or inf
        self._grammars = _grammars(self._tokenizer, self._ends, self._model.get_output_embeddings().weight.shape[0])
        self._waiting: list[_Job] = []
        self._worker: asyncio.Task[None] | None = None
        self._one_at_a_time = threading.Lock()

    @property
    def device(self) -> str:
        """Where it computes: "cuda:0", "mps", "cpu"."""
        return str(self._model.device)

    def context(self, kind: str) -> float:
        """What the model was made for."""
        return self._context

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The reply to one request, together with those that come in the same turn of the loop. Raises TooLong, ModelUnavailable."""
        tokens = self._prompt(request)
        job = _Job(request, seed, priority, tokens, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await job.reply

    async def _work(self) -> None:
        """Batch after batch, until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            for _ in range(TURNS):
                await asyncio.sleep(0)
            batch = sorted((job for job in self._waiting if not job.reply.done()), key=lambda job: job.priority)[: self.slots]
            self._waiting = [job for job in self._waiting if not job.reply.done() and job not in batch]
            if not batch:
                continue
            try:
                replies: Sequence[Completion | BaseException] = await asyncio.to_thread(self._generate, batch, loop)
            except asyncio.CancelledError:
                for job in batch + self._waiting:
                    job.reply.cancel()
                raise
            except Exception as error:
                replies = [self._failure(error)] * len(batch)
            for job, reply in zip(batch, replies, strict=True):
                _settle(job.reply, reply)

    def _generate(self, batch: Sequence[_Job], loop: asyncio.AbstractEventLoop) -> list[Completion]:
        import torch

        rows = [
            Row(self._grammars, job.request.schema, job.seed, job.request.temperature, job.request.max_tokens, lambda job=job: not job.reply.cancelled())  # type: ignore[misc]
            for job in batch
        ]
        longest = max(len(job.tokens) for job in batch)
        padded = torch.tensor([[self._ends[0]] * (longest - len(job.tokens)) + job.tokens for job in batch], device=self._model.device)
        mask = torch.tensor([[0] * (longest - len(job.tokens)) + [1] * len(job.tokens) for job in batch], device=self._model.device)
        with self._one_at_a_time, torch.inference_mode():
            written = self._model.generate(
                padded,
                attention_mask=mask,
                max_new_tokens=max(job.request.max_tokens for job in batch),
                logits_processor=[Sampler(rows, self._ends[0])],
                streamer=_Ears(batch, self._text, loop),
            )
        return [self._completion(job, tokens) for job, tokens in zip(batch, written[:, longest:].tolist(), strict=True)]

    def _completion(self, job: _Job, tokens: list[int]) -> Completion:
        length = next((at for at, token in enumerate(tokens) if token in self._ends), len(tokens))
        return Completion(self._text(tokens[:length]), len(job.tokens), length)

    def _text(self, tokens: list[int]) -> str:
        text: str = self._tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text

    def _prompt(self, request: Request) -> list[int]:
        """The tokens of a prompt. Raises TooLong where they leave no room for the reply."""
        text, complete = _written(self._tokenizer, request.messages)
        tokens: list[int] = self._tokenizer(text, add_special_tokens=not complete)["input_ids"]
        if len(tokens) + request.max_tokens > self._context:
            raise TooLong(
                "{name}: the prompt {kind!r} has {count} tokens and its reply up to {max_tokens}, more than the model's context of {context};"
                " use a model with a longer one",
                name=self.name, kind=request.kind, count=len(tokens), max_tokens=request.max_tokens, context=self._context,
            )  # fmt: skip
        return tokens

    def _failure(self, error: Exception) -> ModelUnavailable:
        from torch.cuda import OutOfMemoryError

        if isinstance(error, OutOfMemoryError):
            return ModelUnavailable(
                "{name}: out of GPU memory with up to {slots} replies at once; lower machine.slots, or use a smaller model", name=self.name, slots=self.slots
            )
        return ModelUnavailable("{name}: generation failed: {reason}", name=self.name, reason=_first_line(error))


class _Ears:
    """What transformers calls a streamer: tells whoever listens to a reply of the batch what has come of it, in the thread of `loop`."""

    def __init__(self, batch: Sequence[_Job], text: Callable[[list[int]], str], loop: asyncio.AbstractEventLoop) -> None:
        self._heard = {row: job.request.heard for row, job in enumerate(batch) if job.request.heard}
        self._written: list[list[int]] | None = None
        self._text, self._loop = text, loop

    def put(self, tokens: Any) -> None:
        """One token for each reply, int[batch]; the first time the prompts, int[batch, longest]."""
        if self._written is None:
            self._written = [[] for _ in tokens]
            return
        for row, token in enumerate(tokens.tolist()):
            self._written[row].append(token)
        for row, heard in self._heard.items():
            self._loop.call_soon_threadsafe(heard, self._text(self._written[row]))

    def end(self) -> None: ...


def _settle(future: asyncio.Future[Completion], reply: Completion | BaseException) -> None:
    if future.done():
        return
    if isinstance(reply, BaseException):
        future.set_exception(reply)
    else:
        future.set_result(reply)


def _written(tokenizer: Any, messages: Sequence[Message]) -> tuple[str, bool]:
    """Messages as a text, and whether it holds all special tokens: by the tokenizer's chat template, else plainly.

    Some templates know no system message; there it opens the first message of the user.
    """
    from jinja2 import TemplateError

    if not tokenizer.chat_template:
        return "".join(f"{message.role.capitalize()}: {message.content}\n\n" for message in messages) + "Assistant:", False
    chat = [{"role": message.role, "content": message.content} for message in messages]
    joined = [{"role": "user", "content": "\n\n".join(message["content"] for message in chat[:2])}, *chat[2:]]
    try:
        return tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True, enable_thinking=False), True
    except TemplateError:
        return tokenizer.apply_chat_template(joined, tokenize=False, add_generation_prompt=True, enable_thinking=False), True


def _loaded(source: str) -> tuple[Any, Any]:
    """The model, ready on its device, and its tokenizer."""
    quiet_and_offline()
    folder = Path(source).expanduser()
    if (folder.is_absolute() or source.startswith(".")) and not folder.is_dir():
        raise BadInput("huggingface:{source}: there is no folder {folder!r}; name one that holds a model of transformers", source=source, folder=str(folder))
    try:
        import llguidance  # noqa: F401
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging
    except ImportError as error:
        raise BadInput(
            "huggingface:{source} needs packages that are not installed ({package}): pip install -r requirements.txt", source=source, package=error.name
        ) from error
    logging.disable_progress_bar()
    where = str(folder) if folder.is_dir() else source
    device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(where, local_files_only=True, dtype=torch.float32 if device == "cpu" else "auto")
    except (OSError, ValueError) as error:
        raise BadInput(
            "huggingface:{source}: no language model of that name on this machine ({reason}); give the folder that holds one, or download it beforehand",
            source=source,
            reason=_first_line(error),
        ) from error
    return model.to(device).eval(), tokenizer


def _ends(model: Any, tokenizer: Any) -> list[int]:
    """Tokens that end a reply. From here on the model's own ways of sampling are off: `Sampler` chooses."""
    from transformers import GenerationConfig

    named = model.generation_config.eos_token_id
    ends = [*(named if isinstance(named, list) else [named]), tokenizer.eos_token_id]
    found = list(dict.fromkeys(token for token in ends if token is not None)) or [0]
    model.generation_config = GenerationConfig(do_sample=False, eos_token_id=found, pad_token_id=found[0])
    return found


def _grammars(tokenizer: Any, ends: list[int], vocabulary: int) -> Grammars:
    from llguidance.hf import from_tokenizer

    return Grammars(from_tokenizer(tokenizer, n_vocab=max(vocabulary, len(tokenizer)), eos_token=ends), vocabulary)


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:160]
