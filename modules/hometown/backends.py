"""The backends of language models by name, and the choice of a run's model.

Besides the built-in ones, a backend is any callable that makes a `LanguageModel` from the name of a
model and the settings. It is registered by `register`, or by an installed package under the entry
point group `hometown.backends`:

    [project.entry-points."hometown.backends"]
    mine = "my_package.models:MyModel"

From then on `mine:NAME` is a model like any other: for `--llm`, for `llm.by_kind`, for `--resume`
and for `--doctor`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import EntryPoint, entry_points

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.model.levels import RECORDED, best_level
from hometown.model.llm import LanguageModel, Loading
from hometown.model.notes import MODEL_NOTES
from hometown.model.retrying import Notify, RetryingModel, notify_user
from hometown.model.routing import WITH, RoutedModel, public_name, usual_name
from hometown.prompt.catalogue import check_prompt_kinds
from hometown.settings import Settings
from hometown.text import translate_all

Factory = Callable[[str, Settings], LanguageModel]
"""Makes the model of a name. The model's own name must be `<backend>:<name>`, since a run is
resumed by it. Raises BadInput if the model cannot be had.
"""

GROUP = "hometown.backends"
"""The entry point group under which installed packages register their backends."""

BUILT_IN = {
    "gguf": "hometown.model.llama.gguf:GgufModel",
    "ollama": "hometown.model.ollama:OllamaModel",
    "openai": "hometown.model.openai_servers:openai_model",
    "huggingface": "hometown.model.huggingface:HuggingFaceModel",
}
"""Import paths of the built-in backends; they are imported on demand only."""

ANSWER_SECONDS = 1.0
"""Seconds for which auto waits for Ollama."""

_registered: dict[str, Factory] = {}


def register(backend: str, factory: Factory) -> None:
    """Register a backend: `<backend>:<name>` is then the model made by `factory(name, settings)`.
    Raises ValueError if the name is taken or contains a colon.
    """
    if not backend or ":" in backend or backend in ("auto", "scripted", *backend_names()):
        raise ValueError(
            f"a backend can't be registered as {backend!r}: the name should be a new one, without a colon"
        )
    _registered[backend] = factory


def backend_names() -> list[str]:
    """Return the names of all backends: built-in, registered, and installed; "scripted" and "auto"
    are none.
    """
    return sorted({*BUILT_IN, *_registered, *entry_points(group=GROUP).names})


def split_spec(spec: str) -> tuple[str, str]:
    """Return backend and name of the model `BACKEND:NAME`. Raises BadInput if there is no such
    backend.
    """
    backend, _, model = spec.partition(":")
    if not model or backend not in backend_names():
        right = ["scripted", *(f"{name}:MODEL" for name in backend_names())]
        raise BadInput(
            "unknown language model {spec!r}: it should be one of {right}, or auto for the whole run; --llm scripted needs no language model",
            spec=spec,
            right=right,
        )
    return backend, model


def make_model(spec: str, settings: Settings) -> LanguageModel:
    """Return the bare model of a spec. Raises BadInput if there is no such backend, if it lacks its
    packages, or if it cannot make the model.
    """
    if spec == "scripted":
        from hometown.scripted.model import ScriptedModel

        return ScriptedModel()
    backend, model = split_spec(spec)
    try:
        made = _factory(backend)(model, settings)
    except ImportError as error:
        raise BadInput(
            "language model {spec!r} needs {package}, which is not installed: install it beside Hometown; --llm scripted needs no language model",
            spec=spec,
            package=error.name,
        ) from error
    if made.name != spec:
        raise BadInput(
            "backend {backend!r} calls its model {name!r}; the name should be {spec!r}, by which runs are resumed",
            backend=backend,
            name=made.name,
            spec=spec,
        )
    return made


def _factory(backend: str) -> Factory:
    if backend in _registered:
        return _registered[backend]
    if backend in BUILT_IN:
        entry = EntryPoint(backend, BUILT_IN[backend], GROUP)
    else:
        (entry, *_) = entry_points(group=GROUP, name=backend)
    try:
        factory: Factory = entry.load()
    except AttributeError as error:
        raise BadInput(
            "backend {backend!r} is registered as {value!r}, which does not exist: {reason}",
            backend=backend,
            value=entry.value,
            reason=error,
        ) from error
    return factory


async def choose_model(
    spec: str, settings: Settings, lang: Lang = "en", notify: Notify = notify_user
) -> tuple[LanguageModel, str]:
    """Return the model that `--llm` or a run names, and in words the reason for the choice.

    "auto" takes Ollama if it answers and has `llm.model`, else the file in `machine.gguf`, else the
    scripted model. Calls to real models are retried (`RetryingModel`); `notify` is called with each
    wait. Raises BadInput for a model that cannot be had, with the command that installs it if
    Ollama lacks it.
    """
    spec = usual_name(spec)
    refuse_recorded(spec)
    if spec == "auto":
        spec, reason = await _best(settings, lang)
    else:
        key = "reason_scripted" if spec == "scripted" else "reason_asked"
        reason = translate_all(MODEL_NOTES, lang)[key].format(model=public_name(spec))
    check_prompt_kinds("llm.by_kind", settings.llm.by_kind)
    check_prompt_kinds("llm.thinking", set(settings.llm.thinking) - {"auto"})
    specs = {kind: other for kind, other in settings.llm.by_kind.items() if other != spec}
    levels = [settings.detail.others, "scripted" if settings.detail.background else ""]
    await _refuse_missing([spec, *specs.values(), *filter(None, levels)], settings)
    usual = await _ready(spec, settings, lang, notify)
    by_kind = {kind: await _ready(other, settings, lang, notify) for kind, other in specs.items()}
    lower = [
        await _ready(other, settings, lang, notify) if other not in ("", spec) else None
        for other in levels
    ]
    if not by_kind and not any(lower):
        return usual, reason
    model = RoutedModel(usual, by_kind, lower, partial(best_level, settings.detail))
    others = public_name(model.name).partition(WITH)[2].replace("=", " → ")
    return model, translate_all(MODEL_NOTES, lang)["reason_routed"].format(
        reason=reason, others=others
    )


def refuse_recorded(spec: str) -> None:
    """Raise BadInput for the model of a recorded town, which can be asked for nothing new."""
    if spec == RECORDED:
        raise BadInput(
            "no model on this machine wrote the replies of a recorded town: to go on with it, name a model with --llm; --llm scripted needs no language model"
        )


async def _refuse_missing(specs: Sequence[str], settings: Settings) -> None:
    """Raise BadInput if Ollama answers and lacks a model, so that no run is created on a missing
    one.
    """
    from hometown.model.ollama_hosts import refuse_if_missing

    for spec in dict.fromkeys(specs):
        backend, _, model = spec.partition(":")
        if backend == "ollama":
            await refuse_if_missing(model, settings, ANSWER_SECONDS)


async def _best(settings: Settings, lang: Lang) -> tuple[str, str]:
    """Return the spec that auto chooses, and the reason: the model of the settings if one of
    Ollama's servers has it, else the file of the settings, else the scripted model.
    """
    from hometown.model.ollama_hosts import availability

    model, words = settings.llm.model, translate_all(MODEL_NOTES, lang)
    state = await availability(model, settings, ANSWER_SECONDS)
    if state != "ready" and settings.machine.gguf:
        spec = f"gguf:{settings.machine.gguf}"
        return spec, words[f"reason_auto_gguf_{state}"].format(model=model, file=public_name(spec))
    return "scripted" if state != "ready" else f"ollama:{model}", words[
        f"reason_auto_{state}"
    ].format(model=model)


async def _ready(spec: str, settings: Settings, lang: Lang, notify: Notify) -> LanguageModel:
    """Return the model of a spec, loaded, with retries if it is a real one."""
    model = make_model(spec, settings)
    if isinstance(model, Loading):
        await model.load(lang, notify)
    return model if spec == "scripted" else RetryingModel(model, settings, notify)
