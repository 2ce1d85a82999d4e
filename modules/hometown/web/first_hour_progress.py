"""The first hour as the page offers it: a model is looked for, fetched if the user agrees, and a run
of an hour is begun.
"""

from __future__ import annotations

import asyncio
import threading
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

LOADING_SECONDS = 600.0
"""Seconds to wait for the run to begin: a large model loads for minutes."""


class FirstHour:
    """The offers made, the fetch under way, and the run that has begun; at most one of these at a
    time.
    """

    def __init__(self, results: Path, processes: Processes) -> None:
        self._results, self._processes = results, processes
        self._offers: dict[str, Offer] = {SCRIPTED: Offer(SCRIPTED)}
        self._lock = threading.Lock()
        self._work: threading.Thread | None = None
        self._fetched: tuple[int, int] = 0, 0
        self._name = ""
        self._error: Wrong | None = None

    def look(self, lang: Lang) -> dict[str, Any]:
        """Look for a model that knows a language; return what was found in words, and the model with
        the bytes to fetch, if there is one.
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
            self._work = threading.Thread(
                target=self._prepare, args=(lang, offer), name="first-hour", daemon=True
            )
            self._work.start()

    def progress(self, lang: Lang) -> dict[str, Any]:
        """Return the bytes fetched and those to fetch, the name of the run once it has begun, and
        the reason if it could not begin.
        """
        done, size = self._fetched
        error = self._error.localize(lang) if self._error else ""
        is_busy = self._work is not None and self._work.is_alive()
        return {"busy": is_busy, "done": done, "size": size, "name": self._name, "error": error}

    def _prepare(self, lang: Lang, offer: Offer) -> None:
        try:
            offer.fetch(user_settings(), self._note)
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
        except Wrong as wrong:
            self._error = wrong
        except (HometownError, OSError) as error:
            reason = error if isinstance(error, HometownError) else reason_of(error)
            self._error = Wrong(409, "That did not work: {reason}.", reason=reason)

    def _note(self, done: int, size: int) -> None:
        self._fetched = done, size
