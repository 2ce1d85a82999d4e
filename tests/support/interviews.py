"""Runs for the tests of interviews, and models that answer as a test wants."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import orjson
import pytest

from hometown.language import Lang
from hometown.model.embedding import make_embedder
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.prompt.interview_answers import InterviewVars
from hometown.scripted.model import ScriptedModel
from hometown.settings import Machine
from hometown.storage.run import RunFile
from hometown.study.interview import Interviewer, world_of_interview
from tests.support.days import lived_day, set_out
from tests.support.once import made_once

STEPS = 84
"""Steps of ten minutes, from six in the morning until eight in the evening."""

SEEDS: Mapping[Lang, int] = {"en": 2, "zh": 1}
"""The days that other tests live too."""

T = TypeVar("T")


class Answers:
    """A model that gives to each interview what a function makes of its variables: (answer, whether
    it knows, numbers of memories).
    """

    name = "answers"

    def __init__(self, answer: Callable[[InterviewVars], tuple[str, str, list[int]]]) -> None:
        self.answer = answer
        self.requests: list[Request] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests.append(request)
        assert isinstance(request.variables, InterviewVars)
        answer, knows, evidence = self.answer(request.variables)
        return Completion(
            orjson.dumps({"evidence": evidence, "answer": answer, "knows": knows}).decode(), 7, 3
        )


def interviewed(factory: pytest.TempPathFactory, lang: Lang = "en") -> Path:
    """A results folder with the run `town`: a day of minitown. Nobody may change it."""
    return made_once(
        factory,
        f"interviewed-{lang}",
        lambda folder: set_out(lived_day(factory, lang, SEEDS[lang]), folder, STEPS),
    )


def interviewer(run: RunFile, model: LanguageModel | None = None) -> Interviewer:
    settings, world = run.manifest.settings.add_machine(Machine()), world_of_interview(run)
    return Interviewer(
        run, world, model or ScriptedModel(), make_embedder("hash", settings), settings
    )


def now(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine."""
    return asyncio.run(coroutine)


def contents(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file below a folder, by path."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
