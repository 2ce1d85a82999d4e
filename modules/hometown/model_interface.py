"""The public interface to the models that Hometown recommends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from hometown.bench.trying import PromptChoice, TriedModel, try_items
from hometown.config import combine
from hometown.errors import BadInput
from hometown.forking import Config, permit_layers
from hometown.language import LANGS, Lang
from hometown.model.fetching import fetch_recommended
from hometown.model.recommended import Recommended, recommended
from hometown.model.routing import public_name
from hometown.paths import RESULTS, TRIALS
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


def try_model(
    llm: str,
    *,
    prompts: int = 60,
    brief: bool = False,
    sealed: bool = False,
    thinking: bool = False,
    lang: Lang | None = None,
    settings: Config | None = None,
    results: Path = RESULTS,
    progress: bool = False,
) -> TriedModel:
    """Try a model on prompts of the towns (0 for all), by default in both languages, and return its
    verdicts; runs with this model use what was found. `brief` tries what a morning needs most, and
    `sealed` prompts are for final figures; with `thinking`, plans and reflections are tried without
    and with it. Replies are kept below `results`, from which an
    interrupted trial goes on; `progress` shows a bar.

    Raises BadInput for a model that cannot be had, a negative number or an unknown language,
    ModelUnavailable if the model does not answer.
    """
    if prompts < 0 or lang not in (None, *LANGS):
        raise BadInput(
            "a trial takes a number of prompts from 0 on, and a language: {langs}; given were {prompts}, {lang}",
            langs=list(LANGS),
            prompts=prompts,
            lang=lang,
        )
    items = PromptChoice(prompts, brief, sealed, lang, thinking).select()
    total = len(items) * (1 + thinking)
    with tqdm(total=total, desc=public_name(llm), unit="prompt", disable=not progress) as bar:
        here = combine(permit_layers(settings))
        return run_in_thread(
            try_items(
                llm,
                items,
                here,
                results / TRIALS,
                notify=lambda _: bar.update(),
                with_thinking=thinking,
            )
        )


try_model_async = for_asyncio(try_model)
