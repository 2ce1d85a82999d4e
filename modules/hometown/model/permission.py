"""Permission for models that open a file or run a plug-in: a run or an experiment from elsewhere
may use only those that the user has named.

A model on a server needs no permission, since a run contains only its name, and the servers are the
user's own. But `gguf:` and `huggingface:` open a file, and a plug-in may do anything. A model that
the user has named once, on a command line, in settings, or by starting a run with it, is permitted
from then on; the list is kept in the folder of models.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from hometown.errors import BadInput
from hometown.model.recommended import recommended
from hometown.model.routing import model_names
from hometown.paths import MODELS
from hometown.settings import RunSettings, Settings
from hometown.text import Phrase

FILE = MODELS / "permitted.txt"
"""The models permitted on this machine, one on each line."""

SERVED = ("ollama", "openai")
"""Backends whose models are asked of the user's own servers."""

BUILT_IN = ("", "auto", "scripted", "recorded", "hash", "e5")
"""Models that come with Hometown."""

_in_process: set[str] = set()
"""Models permitted for this process only, if the file cannot be written."""


def needs_permission(spec: str) -> bool:
    """Return True if a model opens a file or runs a plug-in, unless it comes with Hometown or is a
    `gguf:` model that Hometown recommends.

    >>> [needs_permission(spec) for spec in ("scripted", "ollama:qwen3:8b", "gguf:smollm2-135m", "gguf:/tmp/m.gguf", "mine:x")]
    [False, False, False, True, True]
    """
    backend, _, name = spec.partition(":")
    return not (
        spec in BUILT_IN or backend in SERVED or (backend == "gguf" and name in recommended())
    )


def permitted_models() -> frozenset[str]:
    """Return the models that the user has permitted, on this machine or for this process."""
    try:
        kept = FILE.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        kept = []
    return frozenset({*kept, *_in_process})


def permit(specs: Iterable[str]) -> None:
    """Permit models that the user has named, for this process and, if the folder of models can be
    written, from now on.
    """
    new = {spec for spec in specs if needs_permission(spec)} - permitted_models()
    if not new:
        return
    _in_process.update(new)
    with suppress(OSError):
        FILE.parent.mkdir(parents=True, exist_ok=True)
        with FILE.open("a", encoding="utf-8") as file:
            file.writelines(f"{spec}\n" for spec in sorted(new) if spec.isprintable())


def refuse_unpermitted(specs: Iterable[str], owner: Phrase) -> None:
    """Raise BadInput, with a line for each model that `owner`, a run or an experiment, names and
    the user does not.
    """
    known = permitted_models()
    strange = [
        spec for spec in dict.fromkeys(specs) if needs_permission(spec) and spec not in known
    ]
    if strange:
        raise BadInput(
            [
                Phrase(
                    "{owner} names {spec!r}, a file or a plug-in that you have not used on this computer; if you trust it, name it once yourself:"
                    " hometown doctor (start.py --doctor) with --llm or --embedding {spec!r}",
                    owner=owner,
                    spec=spec,
                )
                for spec in strange
            ]
        )


def models_in(settings: RunSettings) -> list[str]:
    """Return the models that settings name beside the model of a run."""
    return [*settings.llm.by_kind.values(), settings.detail.others]


def names_of_user(settings: Settings) -> list[str]:
    """Return all models and embeddings that the user's settings name."""
    own = [f"gguf:{settings.machine.gguf}"] if settings.machine.gguf else []
    return [settings.llm.default, settings.embedding.default, *models_in(settings), *own]


def names_of_run(llm: str, settings: RunSettings) -> list[str]:
    """Return the language models of a run: those in its model's name, and those in its settings."""
    return [*model_names(llm), *models_in(settings)]
