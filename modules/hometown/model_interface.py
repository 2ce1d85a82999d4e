"""The public interface to the models that Hometown recommends."""

from __future__ import annotations

from collections.abc import Callable

from hometown.config import combine
from hometown.forking import Config, permit_layers
from hometown.model.fetching import fetch_recommended
from hometown.model.recommended import Recommended, recommended
from hometown.worker import for_asyncio, run_in_thread


def recommended_models() -> list[Recommended]:
    """Return the recommended models, smallest first, with their size, memory and licence. The
    network is not used.
    """
    return list(recommended().values())


def fetch_model(
    name: str,
    *,
    as_file: bool = False,
    settings: Config | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Fetch a recommended model unless it is here, through Ollama where that runs, otherwise or with
    `as_file` as a GGUF file, and return it as `llm` names it. `progress` is called with the bytes
    that are here, and all.

    Raises BadInput for an unknown name, ModelUnavailable if the source does not answer.
    """
    return run_in_thread(
        fetch_recommended(
            name,
            combine(permit_layers(settings)),
            as_file=as_file,
            progress=progress or (lambda *_: None),
            notify=lambda _: None,
        )
    )


fetch_model_async = for_asyncio(fetch_model)
