"""Which language model a run gets, and why."""

from __future__ import annotations

from modules.errors import BadInput
from modules.model.llm import LanguageModel
from modules.settings import Settings
from modules.text import catalogue
from modules.world.world import Lang

BACKENDS = ("ollama", "openai", "huggingface")
"""Names that are kept for real models."""


async def choose_model(spec: str, settings: Settings, lang: Lang = "en") -> tuple[LanguageModel, str]:
    """The model that `--llm` names, and in words why it was taken. Raises BadInput for one that cannot be had.

    "auto" takes the best that is there; without a language model that is the scripted one.
    """
    if spec not in ("auto", "scripted"):
        known = spec.partition(":")[0] in BACKENDS
        problem = f"this version cannot run language model {spec!r}" if known else f"unknown language model {spec!r}"
        raise BadInput(f"{problem}: it runs scripted (rules, no language model); use --llm scripted, or auto, which takes it too")
    from modules.model.scripted.model import ScriptedModel

    return ScriptedModel(), catalogue(lang, "model")[f"reason_{spec}"]
