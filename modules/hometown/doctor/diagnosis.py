"""The diagnosis of a machine: if a run would work on it, with its models and its embedding, and how
long a game day would take.
"""

from __future__ import annotations

import platform
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hometown.backends import backend_names, split_spec
from hometown.clock import DAY
from hometown.config import Layer, combine
from hometown.defaults import DEFAULT_WORLD
from hometown.doctor.doctor_messages import DOCTOR_MESSAGES
from hometown.doctor.estimate import Load, estimate_load
from hometown.doctor.model_servers import servers_for
from hometown.doctor.probe import Check, Findings, Probe
from hometown.errors import BadInput, HometownError
from hometown.forking import Config, permit_layers
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.embedding_choice import choose_embedder, fetch_command, is_semantic
from hometown.model.permission import permit
from hometown.model.size import freedom_in
from hometown.paths import RESULTS, USER_WORLDS
from hometown.prompt.plans import SCHEDULE_DAILY
from hometown.settings import Settings
from hometown.system import is_installed, query_nvidia_cards
from hometown.text import translate_all
from hometown.worker import for_asyncio, run_in_thread
from hometown.world.cast_choice import choose_cast
from hometown.world.load import load_world
from hometown.world.world import World

NEEDED = (
    "click",
    "flask",
    "filelock",
    "httpx",
    "jinja2",
    "llama_index.core",
    "numpy",
    "ollama",
    "orjson",
    "pydantic",
    "tqdm",
    "waitress",
    "zstandard",
)
"""The packages that the core depends on, by their names in Python."""

FREE_BYTES = 1_000_000_000
EMBEDDED = 32


@dataclass
class Diagnosis:
    """The findings on a machine.

    Attributes:
        model: The model that a run would get.
        load: The load of a game day.
        slots: The best number of concurrent requests, None if it was not measured.
        hours: The hours that a game day takes, None if they could not be measured.
    """

    model: str
    load: Load
    checks: list[Check] = field(default_factory=list)
    slots: int | None = None
    hours: float | None = None

    @property
    def works(self) -> bool:
        """Return True if a run would work."""
        return all(check.ok or not check.vital for check in self.checks)

    def content(self) -> dict[str, Any]:
        """Return the diagnosis as JSON: its checks, the slots, and the expected calls, tokens (both
        rounded) and hours.
        """
        checks = [
            {"name": check.name, "ok": check.ok, "detail": check.detail, "fix": check.fix}
            for check in self.checks
        ]
        return {
            "checks": checks,
            "slots": self.slots,
            "estimate": {
                "calls": round(self.load.calls),
                "tokens": round(self.load.tokens),
                "hours": self.hours,
            },
        }


@frozen
class Examination:
    """The examination of a machine for a run of a world, on a model and with an embedding.

    Attributes:
        residents: The number of residents.
        settings: The settings of the user and the world.
        llm: The language model, as `--llm` names it.
        embedding: The embedding, as `--embedding` names it.
        results: The folder to which the run would be written.
        words: The language of findings.
    """

    world: World
    residents: int
    settings: Settings
    llm: str
    embedding: str
    results: Path
    words: Lang

    @property
    def is_auto(self) -> bool:
        """Return True if the program chooses the model."""
        return self.llm == "auto"


def diagnose(
    world: str = DEFAULT_WORLD,
    *,
    lang: Lang = "en",
    residents: Sequence[str] = (),
    clones: int = 0,
    llm: str = "",
    embedding: str = "",
    settings: Config | None = None,
    words: Lang = "en",
    results: Path = RESULTS,
    worlds: Path = USER_WORLDS,
) -> Diagnosis:
    """Examine if a run would work here, by trying its model and its embedding, and estimate the time
    of a game day. Findings are in the language `words`. Raises BadInput for an unknown world,
    resident or setting.
    """
    permit([llm, embedding])
    layers, town = permit_layers(settings), load_world(world, lang, worlds)
    planned = plan_examination(town, residents, clones, llm, embedding, layers, results, words)
    return run_in_thread(examine(planned))


diagnose_async = for_asyncio(diagnose)


def plan_examination(
    world: World,
    residents: Sequence[str],
    clones: int,
    llm: str,
    embedding: str,
    layers: Sequence[Layer],
    results: Path,
    words: Lang,
) -> Examination:
    """Return the examination for a run; models that are not named are those of the settings. Raises
    BadInput for an unknown resident.
    """
    settings = combine(layers, world.settings)
    return Examination(
        world,
        len(choose_cast(world, residents, clones)),
        settings,
        llm or settings.llm.default,
        embedding or settings.embedding.default,
        results,
        words,
    )


async def examine(planned: Examination) -> Diagnosis:
    """Examine the models, the embedding and the machine for a run, and return the findings with the
    expected load.
    """
    world, settings, words = planned.world, planned.settings, planned.words
    asked = f"ollama:{settings.llm.model}" if planned.is_auto else planned.llm
    freedom = freedom_in(settings.llm, asked, SCHEDULE_DAILY.kind)
    load = estimate_load(world.id, world.lang, planned.residents, world.start, DAY, freedom)
    diagnosis = Diagnosis(asked, load)
    await _examine_models(diagnosis, settings, words, world.lang, is_chosen=planned.is_auto)
    # The speed depends on the model.
    embedded = await _embedding(planned.embedding, settings, words, world.lang, diagnosis.model)
    machine = _machine(planned.results, translate_all(DOCTOR_MESSAGES, words))
    diagnosis.checks = [*machine, embedded, *diagnosis.checks]
    return diagnosis


async def _examine_models(
    diagnosis: Diagnosis, settings: Settings, user_lang: Lang, lang: Lang, *, is_chosen: bool
) -> None:
    """Add the findings about all models of a run. If the model `is_chosen` by the program and cannot
    be used, another is examined in its place.
    """
    if diagnosis.model != "scripted":
        _take(diagnosis, await _model(diagnosis.model, settings, user_lang, lang))
    if is_chosen and any(
        not check.ok and check.vital and check.name in ("server", "model")
        for check in diagnosis.checks
    ):
        await _fall_back(diagnosis, settings, user_lang, lang)
    for other in dict.fromkeys((*settings.llm.by_kind.values(), settings.detail.others)):
        if other not in (diagnosis.model, "scripted", ""):
            diagnosis.checks += (await _model(other, settings, user_lang, lang, brief=True)).checks
    if diagnosis.model == "scripted":
        diagnosis.hours = 0.0


def _take(diagnosis: Diagnosis, findings: Findings) -> None:
    diagnosis.checks += findings.checks
    diagnosis.slots = findings.slots
    if findings.slots is not None:
        diagnosis.hours = round(diagnosis.load.hours(findings.reading, findings.writing), 4)


async def _fall_back(diagnosis: Diagnosis, settings: Settings, user_lang: Lang, lang: Lang) -> None:
    """Replace a missing server or model of `auto` by the file of the settings, or else by the
    scripted model.
    """
    diagnosis.checks = [
        replace(check, vital=False) if check.name in ("server", "model") else check
        for check in diagnosis.checks
    ]
    if settings.machine.gguf:
        diagnosis.model = f"gguf:{settings.machine.gguf}"
        _take(diagnosis, await _model(diagnosis.model, settings, user_lang, lang))
    else:
        diagnosis.checks.append(
            Check("scripted", True, translate_all(DOCTOR_MESSAGES, user_lang)["scripted"])
        )
        diagnosis.model = "scripted"


def _machine(results: Path, words: dict[str, str]) -> list[Check]:
    good = sys.version_info >= (3, 11)
    missing = [name for name in NEEDED if not is_installed(name)]
    free = shutil.disk_usage(
        next(
            folder for folder in (results.resolve(), *results.resolve().parents) if folder.exists()
        )
    ).free
    return [
        Check("python", good, platform.python_version(), "" if good else words["newer_python"]),
        Check(
            "packages",
            not missing,
            ", ".join(missing) or words["all_there"],
            words["install"] if missing else "",
        ),
        Check(
            "disk",
            free >= FREE_BYTES,
            words["free"].format(gigabytes=f"{free / 1e9:.1f}"),
            "" if free >= FREE_BYTES else words["make_room"],
        ),
        Check("gpu", True, gpu() or words["no_gpu"], vital=False),
    ]


def gpu() -> str:
    """Return names and memory of NVIDIA cards; "" where there is none."""
    return "; ".join(query_nvidia_cards("name,memory.total,memory.free"))


async def _embedding(spec: str, settings: Settings, user_lang: Lang, lang: Lang, llm: str) -> Check:
    """Return the check of the embedding: it passes if it compares meanings in the run's language, or
    the run is scripted.
    """
    words = translate_all(DOCTOR_MESSAGES, user_lang)
    try:
        embedder, _ = await choose_embedder(spec, settings, lang, llm=llm)
        began = time.perf_counter()
        await embedder.embed([f"{number}. {words['ask_plain']}" for number in range(EMBEDDED)])
    except HometownError as error:
        return Check("embedding", False, error.localize(user_lang), words["other_embedding"])
    rate = EMBEDDED / (time.perf_counter() - began)
    detail = words["embedding"].format(
        name=embedder.name, rate=f"{rate:.0f}", dimension=embedder.dimension
    )
    if llm == "scripted" or is_semantic(embedder.name, lang):
        return Check("embedding", True, detail)
    problem = words["embedding_of_words" if embedder.name == "hash" else "embedding_foreign"]
    return Check(
        "embedding",
        False,
        f"{detail}; {problem}",
        words["fetch_embedding"].format(command=fetch_command()),
        vital=False,
    )


async def _model(
    spec: str, settings: Settings, user_lang: Lang, lang: Lang, *, brief: bool = False
) -> Findings:
    """Return the findings on a model. One of this process is loaded, which may take a while."""
    words = translate_all(DOCTOR_MESSAGES, user_lang)
    try:
        backend, model = split_spec(spec)
    except BadInput:
        return Findings(
            [
                Check(
                    "model",
                    False,
                    words["unknown"].format(model=spec),
                    words["known"].format(backends=", ".join(backend_names())),
                )
            ]
        )
    try:
        servers = servers_for(spec, settings, user_lang)
    except BadInput as error:
        return Findings(
            [Check("server", False, error.localize(user_lang), words[f"start_{backend}"])]
        )
    return await Probe(servers, model, settings, user_lang, lang, brief=brief).examine()
