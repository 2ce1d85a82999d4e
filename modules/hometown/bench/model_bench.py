"""A trial of a model: items of the bench are put to it one after the other, with a fixed seed and
without a second attempt, and its replies are kept.

Replies lie in `<folder>/<model>/<prompts>.jsonl`, one a line, where `<prompts>` is a hash of the
templates. A reply is used again only for the very same request.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any

import orjson

from hometown.bench.broken_words import list_broken_words
from hometown.bench.items import BenchItem, load_items
from hometown.bench.reference_choices import references
from hometown.bench.replies import ScoredReply
from hometown.bench.rules import faults_of
from hometown.errors import CallFailed
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.model.llm import REASONING_TOKENS, LanguageModel, Request, context_of
from hometown.model.reply_journal import request_hash
from hometown.model.reply_parsing import UnusableReply, parse_reply
from hometown.model.routing import public_name
from hometown.prompt.budget import fit
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import PROMPT_FOLDER, Templates
from hometown.prompt.schema import schema_for
from hometown.world.load import load_world

SEED = 1
"""Seed of all requests."""

DAILY_KINDS = (
    "utterance",
    "talk_summary",
    "schedule_decompose",
    "react",
    "schedule_init",
    "schedule_daily",
    "wake_up",
    "approach",
    "reflect_focus",
    "reflect_insights",
    "respond",
    "reconsider",
    "currently",
)
"""The kinds of prompt that a town without a society asks by default."""

THINKING_KINDS = (
    "wake_up",
    "schedule_init",
    "schedule_daily",
    "schedule_changes",
    "schedule_decompose",
    "reconsider",
    "clash",
    "currently",
    "reflect_focus",
    "reflect_insights",
    "reflect_chats",
)
"""The kinds of prompt before whose replies a model may think: plans, decisions between them, and
reflections. A talk cannot wait.
"""

BRIEF_KINDS = ("utterance", "talk_summary", "schedule_decompose", "react", "wake_up")
"""The kinds of a brief trial."""


@frozen
class TrialAnswer:
    """A model's reply to an item, after `ms` milliseconds. `failure` says why there is none;
    `request` is the hash of the whole request.
    """

    item: str
    request: str
    text: str
    failure: str
    ms: int
    reply_tokens: int


@frozen
class Verdict:
    """The bench's judgement of a reply.

    Attributes:
        refused: why the town could not use the reply; "" if it could.
        mended: names of the rules that mended it.
        faults: reasons by the name of the rule that found a fault.
        is_agreeing: True if a choice is one of those of the reference; None without one.
        spoilt: broken words that the grammar or the mending made, and not the model.
    """

    item: BenchItem
    answer: TrialAnswer
    refused: str
    mended: tuple[str, ...]
    faults: Mapping[str, str]
    is_agreeing: bool | None = None
    spoilt: str = ""

    @property
    def is_unmended(self) -> bool:
        """Return True if the town could use the reply as it came, without mending it."""
        return not self.refused and not self.mended

    @property
    def is_alive(self) -> bool:
        """Return True if the reply is usable, mended or not, and no rule finds a fault in it."""
        return not self.refused and not self.faults


def select_items(
    count: int = 0,
    kinds: Sequence[str] = (),
    langs: Sequence[Lang] = LANGS,
    *,
    with_sealed: bool = False,
) -> list[BenchItem]:
    """Return `count` items (0: all), as evenly as possible of all kinds, languages and traits,
    preferably with little to read. Those that begin alike follow each other, so that a server which
    caches beginnings reads a quarter less.

    Args:
        kinds: kinds of prompt; all if empty.
        with_sealed: True if sealed items may be among them.
    """
    queues = []
    for kind in kinds or PROMPTS:
        for lang in langs:
            items = [item for item in load_items(lang) if item.kind == kind]
            by_trait = [
                sorted((item for item in items if item.trait == trait), key=_brevity)
                for trait in ("short", "adversarial", "long")
            ]
            mixed = [item for turn in zip_longest(*by_trait) for item in turn if item]
            queues.append([item for item in mixed if with_sealed or not item.is_sealed])
    chosen = [item for turn in zip_longest(*queues) for item in turn if item]
    return sorted(
        chosen[:count] if count else chosen, key=lambda item: (item.lang, item.world, item.kind)
    )


def _brevity(item: BenchItem) -> tuple[int, str]:
    return len(item.variables), item.id


def prompt_version(folder: Path = PROMPT_FOLDER) -> str:
    """Return a hash of the names and contents of all templates, in hexadecimal: the version of the
    prompts.
    """
    digest = blake2b(digest_size=4)
    for file in sorted(folder.rglob("*.md")):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


class Trial:
    """The trial of one model, with the replies that were kept.

    Args:
        model: the model, ready to answer.
        folder: the folder of all trials.
        prompts: the folder of the templates.
        thinks: True if the model thinks before it replies.
    """

    def __init__(
        self,
        model: LanguageModel,
        folder: Path,
        prompts: Path = PROMPT_FOLDER,
        *,
        thinks: bool = False,
    ) -> None:
        self.model, self._prompts, self._thinks = model, prompts, thinks
        name = re.sub(r"[^\w.]+", "-", public_name(model.name)).strip("-.")
        self.file = folder / name / f"{prompt_version(prompts)}{'-thinking' * thinks}.jsonl"
        self._kept = {answer.item: answer for answer in read_answers(self.file)}
        self._templates: dict[tuple[Lang, str], Templates] = {}

    async def ask(
        self, items: Iterable[BenchItem], notify: Callable[[Verdict], object]
    ) -> list[Verdict]:
        """Return the verdicts on the replies to items; `notify` receives each as it comes. An item
        whose request was answered before this trial, or failed, is not asked again.

        Raises:
            ModelUnavailable: the model does not answer at all.
        """
        verdicts = []
        for item in items:
            request = self.request(item)
            digest = request_hash(self.model.name, request, SEED).hex()
            answer = self._kept.get(item.id)
            if answer is None or answer.request != digest:
                answer = await self._ask(item, request, digest)
            verdicts.append(judge_answer(item, request, answer))
            notify(verdicts[-1])
        return verdicts

    def kept_texts(self) -> dict[str, str]:
        """Return the replies kept before this trial by the id of their item, without those that
        failed.
        """
        return {answer.item: answer.text for answer in self._kept.values() if not answer.failure}

    def judge(self, item: BenchItem, text: str) -> Verdict:
        """Return the verdict on a reply that was given elsewhere."""
        request = self.request(item)
        return judge_answer(item, request, TrialAnswer(item.id, "", text, "", 0, 0))

    def request(self, item: BenchItem) -> Request:
        """Return the request that puts an item to the model, fitted to its context."""
        prompt, variables = item.prompt, item.parse()
        context = context_of(self.model, item.kind)
        room = context - prompt.longest_reply(context) - REASONING_TOKENS * self._thinks
        fitted = fit(prompt, variables, self._templates_of(item).render, room, {})
        return Request(
            item.kind,
            item.lang,
            fitted.variables,
            fitted.messages,
            schema_for(prompt, fitted.variables),
            prompt.longest_reply(context),
            prompt.temperature,
            thinks=self._thinks,
        )

    def _templates_of(self, item: BenchItem) -> Templates:
        """Return the templates for an item's language and world, loaded once."""
        place = item.lang, item.world
        if place not in self._templates:
            world = load_world(item.world, item.lang)
            self._templates[place] = Templates(
                item.lang,
                world.name_of,
                world.place_name,
                folder=self._prompts,
                premise=world.premise,
            )
        return self._templates[place]

    async def _ask(self, item: BenchItem, request: Request, digest: str) -> TrialAnswer:
        """Put a request to the model, append the answer to the file of the trial, and return it,
        with the time that it took in milliseconds; a failed call gives an answer with its failure.
        """
        began = time.perf_counter()
        try:
            completion = await self.model.complete(request, seed=SEED)
            text, failure, tokens = completion.text, completion.failure, completion.reply_tokens
        except CallFailed as error:
            text, failure, tokens = "", str(error) or "no reply", 0
        ms = round((time.perf_counter() - began) * 1000)
        answer = TrialAnswer(item.id, digest, text, failure, ms, tokens)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab") as file:
            file.write(orjson.dumps(asdict(answer)) + b"\n")
        return answer


def read_answers(file: Path) -> Iterator[TrialAnswer]:
    """Yield the answers that a file keeps; lines that are none, as a last one that was cut off, are
    left out. No file, no answers.
    """
    if file.exists():
        for line in file.read_bytes().splitlines():
            try:
                yield TrialAnswer(**orjson.loads(line))
            except (TypeError, ValueError):
                continue


def judge_answer(item: BenchItem, request: Request, answer: TrialAnswer) -> Verdict:
    """Return the verdict on a reply: refused if there is none or the town cannot use it, with the
    rules that mended it and those that find a fault.
    """
    if answer.failure:
        return Verdict(item, answer, answer.failure, (), {"unusable": answer.failure})
    mended: tuple[str, ...] = ()
    refused = ""
    value: Any = None
    try:
        reply, mended = parse_reply(
            item.prompt, request.variables, request.schema, answer.text, item.lang
        )
        value = reply.model_dump(mode="json")
    except UnusableReply as error:
        refused = str(error)
    scored = ScoredReply(request.messages, request.schema, answer.text, item.lang, item.kind)
    faults = faults_of(scored)
    spoilt = "" if value is None else broken_by_town(scored, value)
    return Verdict(item, answer, refused, mended, faults, agrees(item, value), spoilt)


def broken_by_town(written: ScoredReply, used: Any) -> str:
    """Return a word or ending that is broken in a reply as the town uses it, and was whole in what
    the model wrote, or was cut off there by the length that the grammar allows; "" if none is.
    Figures and signs alone are no word, wherever they are cut off.
    """
    text = orjson.dumps(used).decode()
    reply = ScoredReply(written.messages, written.schema, text, written.lang, written.kind)
    known = "\n".join(list_broken_words(written, with_cuts=False))
    return next(
        (
            broken
            for broken in list_broken_words(reply)
            if broken.strip() not in known and any(map(str.isalpha, broken))
        ),
        "",
    )


def agrees(item: BenchItem, value: Any) -> bool | None:
    """Return True if the choice in a reply is one of those of the reference; None if the reference
    has none for the item, False for an unusable reply.
    """
    reference = references().get(item.id)
    if reference is None:
        return None
    return isinstance(value, dict) and reference.agrees(value)
