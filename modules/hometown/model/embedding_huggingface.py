"""SentenceTransformers on this machine, run in this process through LlamaIndex. Nothing is
downloaded.

A vector must not depend on the texts that are embedded together with it, and the last digits of a
sum depend on the shape of the matrices. So on a GPU, texts with the same number of tokens are
embedded in batches that always have the same number of rows, which needs no padding. On a CPU,
where batches gain little, each text is a batch of its own. Another device or another version of
torch may still change the last digits; a run keeps each vector as it was first computed.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hometown.errors import BadInput, HometownError, ModelUnavailable, first_line
from hometown.paths import pip_command
from hometown.system import is_installed

HUGGINGFACE = "huggingface:"

Device = Literal["auto", "cpu", "cuda", "mps"]

GPU_ROWS = 16
"""Rows of each batch on a GPU."""

LARGEST_BYTES = 2_500_000_000
"""Size of the largest model that is chosen without being named."""

QUIET_AND_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}
"""Environment variables that HuggingFace's libraries read when they are imported."""

PACKAGES = ("sentence_transformers", "llama_index.embeddings.huggingface")


class HuggingFaceEmbedder:
    """An embedding by a SentenceTransformer.

    Raises BadInput where the packages, the model or the device are missing, or the model can't be
    loaded.
    """

    def __init__(self, source: str, device: Device = "auto", rows: int | None = None) -> None:
        self.name = HUGGINGFACE + source
        with refuse_unloadable(self.name):
            self._embedding = _sentence_transformer(source, device, rows)
            self._rows: int = self._embedding.embed_batch_size
            # LlamaIndex publishes no tokenizer.
            self._tokenizer: Any = self._embedding._model.tokenizer
            self.dimension = len(self._embedding.get_text_embedding("dimension"))

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension]. Raises ModelUnavailable."""
        try:
            return await asyncio.to_thread(self._vectors, texts)
        except Exception as error:
            raise ModelUnavailable(
                "{name}: embedding failed: {reason}", name=self.name, reason=first_line(error)
            ) from error

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for places in self._batches(texts):
            rows = [texts[place] for place in places]
            rows += [rows[0]] * (self._rows - len(rows))
            vectors[places] = self._embedding.get_text_embedding_batch(rows)[: len(places)]
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Yield the indices of each batch: at most as many texts as it has rows, all with the same
        number of tokens. With one row the tokens do not matter.
        """
        groups = defaultdict[int, list[int]](list)
        for place, text in enumerate(texts):
            groups[len(self._tokenizer(text)["input_ids"]) if self._rows > 1 else 0].append(place)
        for group in groups.values():
            for start in range(0, len(group), self._rows):
                yield group[start : start + self._rows]


def cached_models() -> list[str]:
    """Return the names of the SentenceTransformers in HuggingFace's cache that can be chosen
    without being named.

    They are complete, not too large, and bring no code of their own. Torch is not imported.
    """
    if not all(map(is_installed, PACKAGES)):
        return []
    folders = sorted(_cache_folder().glob("models--*"))
    names = [folder.name.removeprefix("models--").replace("--", "/") for folder in folders]
    return [name for name in names if (snapshot := _snapshot(name)) and _is_fit(snapshot)]


@contextmanager
def refuse_unloadable(name: str) -> Iterator[None]:
    """Raise BadInput in place of an error of HuggingFace's libraries or of torch, which are of any
    kind where a file is damaged or memory is short.
    """
    try:
        yield
    except HometownError:
        raise
    except Exception as error:
        raise BadInput(
            "{name}: the model can't be loaded ({kind}: {reason}); download it again if a file is damaged, or take a smaller one if memory is short",
            name=name,
            kind=type(error).__name__,
            reason=first_line(error),
        ) from error


def quiet_and_offline() -> None:
    """Set the environment before HuggingFace's libraries are imported. Variables that the user has
    set are kept.
    """
    for name, value in QUIET_AND_OFFLINE.items():
        os.environ.setdefault(name, value)


def _cache_folder() -> Path:
    quiet_and_offline()
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def _snapshot(name: str) -> Path | None:
    """Return the folder of a cached SentenceTransformer, or None if the cache holds none of that
    name.
    """
    folder = _cache_folder() / f"models--{name.replace('/', '--')}"
    try:
        snapshot = folder / "snapshots" / (folder / "refs" / "main").read_text("utf-8").strip()
    except OSError:
        return None
    return snapshot if (snapshot / "modules.json").is_file() else None


def _is_fit(snapshot: Path) -> bool:
    """Return True if a cached model has weights of at most `LARGEST_BYTES` and no code of its own."""
    weights = [
        file
        for pattern in ("*.safetensors", "pytorch_model*.bin")
        for file in snapshot.rglob(pattern)
        if file.is_file()
    ]
    config = snapshot / "config.json"
    has_code = config.is_file() and '"auto_map"' in config.read_text("utf-8", "replace")
    return (
        bool(weights)
        and not has_code
        and sum(file.stat().st_size for file in weights) <= LARGEST_BYTES
    )


def _sentence_transformer(source: str, device: Device, rows: int | None) -> Any:
    """Return LlamaIndex's embedding by the SentenceTransformer in a folder or of a name on this
    machine. Raises BadInput if the packages, the model or the device are missing.
    """
    quiet_and_offline()
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    folder = Path(source).expanduser()
    if (folder.is_absolute() or source.startswith(".")) and not folder.is_dir():
        raise BadInput(
            "embedding huggingface:{source}: there is no folder {folder!r}; give one that contains a SentenceTransformer",
            source=source,
            folder=str(folder),
        )
    try:
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError as error:
        raise BadInput(
            "embedding huggingface:{source} needs packages that are not installed ({package}): {command}",
            source=source,
            package=error.name,
            command=pip_command("huggingface"),
        ) from error
    on = _torch_device(device)
    cache = str(_cache_folder()) if _snapshot(source) else None  # otherwise LlamaIndex's own
    try:
        return HuggingFaceEmbedding(
            str(folder) if folder.is_dir() else source,
            normalize=True,
            embed_batch_size=rows or (1 if on == "cpu" else GPU_ROWS),
            device=on,
            cache_folder=cache,
            local_files_only=True,
        )
    except (OSError, ValueError) as error:
        raise BadInput(
            "embedding huggingface:{source}: no SentenceTransformer of that name on this machine ({reason});"
            " give the folder that contains it, or download it beforehand",
            source=source,
            reason=first_line(error),
        ) from error


def _torch_device(device: Device) -> str:
    """Return the device on which torch computes: the one that is asked for, or else the GPU if
    there is one. Raises BadInput.
    """
    import torch

    there = [
        name
        for name, is_there in (
            ("cuda", torch.cuda.is_available),
            ("mps", torch.backends.mps.is_available),
        )
        if is_there()
    ] + ["cpu"]
    if device == "auto":
        return there[0]
    if device not in there:
        raise BadInput(
            "machine.embedding_device is {device!r}, but torch finds only {there}; use one of these, or auto",
            device=device,
            there=there,
        )
    return device
