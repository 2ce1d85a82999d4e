"""The desk that answers the page's questions and drafts its laws: one at a time, in a thread of its
own, with models that stay loaded in between.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import cached_property
from typing import Any, TypeVar

from hometown.model.llm import LanguageModel
from hometown.session import same_model
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.interview import InterviewAnswer, Interviewer, Lines, check_question
from hometown.world.world import World

T = TypeVar("T")


class Busy(Exception):
    """Another question or a draft of a law is in progress."""


class InterviewDesk:
    """Answers questions to the residents of any run, on the model `llm`, by default that of the
    run.

    `settings` contain the model servers of this machine. The thread ends with the process, even
    while a model call is in progress.
    """

    def __init__(self, settings: Settings, llm: str = "") -> None:
        self.settings, self.llm = settings, llm
        self._models: dict[tuple[str, str], LanguageModel] = {}
        self._busy = threading.Lock()

    def ask(
        self,
        open_run: Callable[[], RunFile],
        world: World,
        who: str,
        question: str,
        at: int,
        lines: Lines,
    ) -> InterviewAnswer:
        """Return the answer of a resident, by id. `open_run` opens the run, which is closed again.

        Raises:
            Busy: Another question is in progress.
            BadInput: The question is missing, too long or not text.
            BadRun: There is no such step.
            ModelUnavailable: The model does not answer.
        """
        question = check_question(who, question, world).text
        return self.consult(
            open_run, world, lambda interviewer: interviewer.ask(who, question, at, lines)
        )

    def consult(
        self,
        open_run: Callable[[], RunFile],
        world: World,
        work: Callable[[Interviewer], Coroutine[Any, Any, T]],
    ) -> T:
        """Return the result of some work in the desk's thread, on its own model or else the run's,
        or raise its error. The run is closed again.

        Raises:
            Busy: Other work is in progress.
        """
        if not self._busy.acquire(blocking=False):
            raise Busy
        try:
            return asyncio.run_coroutine_threadsafe(
                self._consult(open_run, world, work), self._loop
            ).result()
        finally:
            self._busy.release()

    async def _consult(
        self,
        open_run: Callable[[], RunFile],
        world: World,
        work: Callable[[Interviewer], Coroutine[Any, Any, T]],
    ) -> T:
        """Do the work on the run, with the model of the desk or else of the run. The model stays
        loaded for the next work with the same settings; another one replaces it.
        """
        with open_run() as run:
            key = (self.llm or run.manifest.llm, run.manifest.settings.model_dump_json())
            if key not in self._models:
                self._models.clear()  # memory has room for one
                self._models[key] = await same_model(run.manifest, self.settings, self.llm)
            return await work(Interviewer.on(run, world, self._models[key], self.settings))

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of the desk; the first access starts its thread."""
        loop = asyncio.new_event_loop()
        threading.Thread(target=loop.run_forever, name="interviews", daemon=True).start()
        return loop
