"""The first hour as the page offers it: a model is looked for, fetched if the user agrees, and a run
of an hour is begun.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from hometown.doctor.first_hour import (
    HOUR,
    NAME,
    NO_WAY,
    START,
    STRIDE,
    WORLD,
    Offer,
    describe_search,
    find_offer,
)
from hometown.errors import HometownError, reason_of
from hometown.language import Lang
from hometown.model.levels import SCRIPTED
from hometown.storage.run_names import free_name
from hometown.web.answers import Wrong
from hometown.web.offers import user_settings
from hometown.web.processes import Processes
from hometown.world.authored import START_FORMAT

FIRST_HOUR = "hometown_first_hour"
"""The name of the app's first hour among its extensions, to be closed with the server."""

CLOSING_SECONDS = 1.0
"""Seconds to wait for a cancelled fetch as the server stops."""

LOADING_SECONDS = 600.0
"""Seconds to wait for the run to begin: a large model loads for minutes."""


class FirstHour:
    """The offers made, and the hour being prepared, one at a time: the fetch under way, then the
    run that has begun.
    """

    def __init__(self, results: Path, processes: Processes) -> None:
        self._results, self._processes = results, processes
        self._offers: dict[str, Offer] = {SCRIPTED: Offer(SCRIPTED)}
        self._lock = threading.Lock()
        self._work: threading.Thread | None = None
        self._fetched: tuple[int, int] = 0, 0
        self._name = ""
        self._error: Wrong | None = None
        self._is_cancelled = False
        self._end_fetch: Callable[[], object] | None = None

    def look(self, lang: Lang) -> dict[str, Any]:
        """Look for a model that knows a language, and offer it; return what was found in words, and
        the model with the bytes to fetch, if there is one.
        """
        settings = user_settings()
        found = asyncio.run(find_offer(settings, lang))
        offer = found.offer
        if offer is not None:
            self._offers[offer.spec] = offer
        failures = [failure.localize(lang) for failure in found.failures]
        no_way = [] if offer or failures else [NO_WAY.localize(lang)]
        return {
            "lines": [line.localize(lang) for line in describe_search(settings)],
            "failures": [*failures, *no_way],
            "llm": offer.spec if offer else "",
            "bytes": offer.to_fetch.bytes if offer and offer.to_fetch else 0,
        }

    def begin(self, lang: Lang, llm: str) -> None:
        """Fetch a model that was offered, if need be, and begin the hour on it, in a thread.

        Raises:
            Wrong: 400, if the model was not offered; 409, if an hour is being prepared.
        """
        offer = self._offers.get(llm)
        if offer is None:
            raise Wrong(
                400,
                "{what}={value} is not among what this server offers.",
                what="llm",
                value=llm[:80],
            )
        with self._lock:
            if self._work is not None and self._work.is_alive():
                raise Wrong(409, "The first hour is being prepared already.")
            self._fetched, self._name, self._error = (0, 0), "", None
            self._is_cancelled = False
            self._work = threading.Thread(
                target=self._prepare, args=(lang, offer), name="first-hour", daemon=True
            )
            self._work.start()

    def cancel(self) -> None:
        """Cancel the fetch under way, if there is one, and begin no hour. The bytes that have
        arrived are kept, and the next fetch continues them.
        """
        with self._lock:
            self._is_cancelled = True
            if self._end_fetch:
                self._end_fetch()

    def close(self) -> None:
        """Cancel the fetch under way, as the server stops."""
        self.cancel()
        if self._work is not None:
            self._work.join(CLOSING_SECONDS)

    def progress(self, lang: Lang) -> dict[str, Any]:
        """Return the state of the first hour: `busy` and `fetching` (a model), the bytes `done` of
        `size`, the run's `name`, "" before it has begun, and the `error`, "" for none.
        """
        done, size = self._fetched
        error = self._error.localize(lang) if self._error else ""
        is_busy = self._work is not None and self._work.is_alive()
        return {
            "busy": is_busy,
            "fetching": is_busy and self._end_fetch is not None,
            "done": done,
            "size": size,
            "name": self._name,
            "error": error,
        }

    def _prepare(self, lang: Lang, offer: Offer) -> None:
        """Fetch the model of an offer and begin the run on it; record the run's name, or the error.
        Does nothing more once it is cancelled.
        """
        try:
            asyncio.run(self._fetch(offer))
            offer.use_server()
            name = free_name(self._results, NAME)
            options = {
                "world": WORLD,
                "lang": lang,
                "llm": offer.spec,
                "start": START.strftime(START_FORMAT),
                "stride": STRIDE,
                "step": HOUR // STRIDE,
            }
            self._processes.start(
                name,
                ["run", name, *(f"--{option}={value}" for option, value in options.items())],
                LOADING_SECONDS,
            )
            self._name = name
        except asyncio.CancelledError:
            return
        except Wrong as wrong:
            self._error = wrong
        except (HometownError, OSError) as error:
            reason = error if isinstance(error, HometownError) else reason_of(error)
            self._error = Wrong(409, "That did not work: {reason}.", reason=reason)

    async def _fetch(self, offer: Offer) -> None:
        """Fetch the model of an offer. Raises CancelledError once the fetch is cancelled."""
        task = asyncio.current_task()
        assert task is not None
        end = partial(asyncio.get_running_loop().call_soon_threadsafe, task.cancel)
        with self._lock:
            self._end_fetch = end if offer.to_fetch else None
        try:
            if not self._is_cancelled:
                await offer.fetch(user_settings(), self._note)
        finally:
            with self._lock:
                self._end_fetch = None
        if self._is_cancelled:
            raise asyncio.CancelledError

    def _note(self, done: int, size: int) -> None:
        """Record the progress of the fetch, in bytes."""
        self._fetched = done, size
