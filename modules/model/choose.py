"""Which language model a run gets, and why."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from modules.errors import BadInput
from modules.model.llm import LanguageModel
from modules.model.patience import Notify, Patient, say
from modules.model.routing import Routed, usual_name
from modules.prompt.catalogue import PROMPTS
from modules.settings import Settings
from modules.text import catalogue
from modules.world.world import Lang

BACKENDS = {
    "ollama": ("modules.model.ollama", "OllamaModel"),
    "openai": ("modules.model.openai_server", "OpenAIModel"),
    "huggingface": ("modules.model.huggingface", "HuggingFaceModel"),
}
"""Where the model of each backend is; imported only when asked for."""

ANSWER_SECONDS = 1.0
"""How long auto waits for Ollama."""


async def choose_model(spec: str, settings: Settings, lang: Lang = "en", notify: Notify = say) -> tuple[LanguageModel, str]:
    """The model that `--llm` names, or that the name of a run's model says, and in words why it was taken.

    "auto" takes Ollama if it answers and has `llm.model`, else the scripted model. Real models are waited for
    (`Patient`), which `notify` is told of. Raises BadInput for a model that cannot be had, with the line
    that brings it where Ollama lacks it.
    """
    spec = usual_name(spec)
    if spec == "auto":
        usual, reason = await _best(settings, lang, notify)
    else:
        usual, reason = _made(spec, settings, notify), catalogue(lang, "model")["reason_scripted" if spec == "scripted" else "reason_asked"].format(model=spec)
    by_kind = {kind: _made(other, settings, notify) for kind, other in _checked(settings.llm.by_kind).items() if other != usual.name}
    await _refuse_missing([usual.name, *(one.name for one in by_kind.values())], settings)
    if not by_kind:
        return usual, reason
    routed = Routed(usual, by_kind)
    return routed, catalogue(lang, "model")["reason_routed"].format(reason=reason, others=", ".join(f"{kind} → {one.name}" for kind, one in by_kind.items()))


async def _refuse_missing(names: Sequence[str], settings: Settings) -> None:
    """Asks Ollama, where it answers, for all that is named, so that no run is founded on what is not there."""
    from modules.model.ollama import refuse_if_missing

    for name in dict.fromkeys(names):
        backend, _, model = name.partition(":")
        if backend == "ollama":
            await refuse_if_missing(model, settings, ANSWER_SECONDS)


async def _best(settings: Settings, lang: Lang, notify: Notify) -> tuple[LanguageModel, str]:
    """What auto takes: the model of the settings if one of Ollama's servers has it, else the scripted one."""
    from modules.model.ollama import find

    found, words = await find(settings.llm.model, settings, ANSWER_SECONDS), catalogue(lang, "model")
    spec = f"ollama:{settings.llm.model}" if found == "ready" else "scripted"
    return _made(spec, settings, notify), words[f"reason_auto_{found}"].format(model=settings.llm.model)


def _made(spec: str, settings: Settings, notify: Notify) -> LanguageModel:
    """The model of a spec that names one. Raises BadInput if there is no such backend, or if it lacks its packages."""
    if spec == "scripted":
        from modules.model.scripted.model import ScriptedModel

        return ScriptedModel()
    backend, _, model = spec.partition(":")
    if backend not in BACKENDS or not model:
        right = ["scripted", *(f"{name}:MODEL" for name in BACKENDS)]
        raise BadInput(
            "unknown language model {spec!r}: it should be one of {right}, or for a whole run auto; --llm scripted needs no language model",
            spec=spec,
            right=right,
        )
    module, name = BACKENDS[backend]
    try:
        made: LanguageModel = getattr(import_module(module), name)(model, settings)
    except ImportError as error:
        raise BadInput(
            "language model {spec!r} needs {package}, which is not installed: pip install -r requirements.txt; --llm scripted needs no language model",
            spec=spec,
            package=error.name,
        ) from error
    return Patient(made, settings, notify)


def _checked(by_kind: dict[str, str]) -> dict[str, str]:
    for kind in by_kind:
        if kind not in PROMPTS:
            raise BadInput("llm.by_kind names {kind!r}, but there is no such kind of prompt; there are {prompts}", kind=kind, prompts=list(PROMPTS))
    return by_kind
