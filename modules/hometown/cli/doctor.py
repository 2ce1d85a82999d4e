"""The work of `hometown doctor`: checks of the machine and its models, and the time of a day."""

from __future__ import annotations

import platform
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from hometown.backends import backend_names, split_spec
from hometown.cli.contacts import contacts, print_servers
from hometown.cli.options import Folders
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.cli.user_language import locale_language
from hometown.clock import DAY
from hometown.config import Layer, combine
from hometown.defaults import DEFAULT_WORLD
from hometown.doctor.doctor_messages import DOCTOR_MESSAGES
from hometown.doctor.estimate import Load, estimate_load
from hometown.doctor.model_servers import servers_for
from hometown.doctor.probe import Check, Findings, Probe
from hometown.errors import BadInput, HometownError
from hometown.language import Lang
from hometown.model.embedding_choice import choose_embedder, fetch_command, is_semantic
from hometown.model.permission import names_of_run
from hometown.model.size import freedom_in
from hometown.prompt.plans import SCHEDULE_DAILY
from hometown.settings import Settings
from hometown.system import is_installed, query_nvidia_cards
from hometown.text import ngettext, translate_all
from hometown.world.cast_choice import choose_cast
from hometown.world.load import load_world

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


@dataclass(frozen=True)
class PlannedRun:
    """The run for which the machine is examined; None for a choice that is left to the settings."""

    world: str | None
    lang: Lang | None
    residents: tuple[str, ...]
    clones: int
    llm: str | None
    embedding: str | None
    folders: Folders


def diagnose(
    request: PlannedRun, layers: Sequence[Layer], user_lang: Lang, *, as_json: bool
) -> int:
    """Examine the machine and print the findings. Return 0 if the run would work, else 1."""
    diagnosis = run_stoppable(examine(request, layers, user_lang, aside=as_json))
    if as_json:
        print(orjson.dumps(diagnosis.content(), option=orjson.OPT_INDENT_2).decode())
    else:
        _print(diagnosis, user_lang)
    return 0 if diagnosis.works else 1


async def examine(
    request: PlannedRun, layers: Sequence[Layer], user_lang: Lang, *, aside: bool
) -> Diagnosis:
    """Examine the models, the embedding and the machine for a run, and return the findings with the
    expected load. The servers that will be contacted are printed first.

    Args:
        request: The run; its blanks are filled from the settings.
        layers: The settings of user and environment, which are combined with the world's.
        user_lang: The language of messages.
        aside: Whether to print on stderr, since a program reads stdout.

    Raises:
        BadInput: There is no such world, or no such resident.
    """
    words, folders = translate_all(DOCTOR_MESSAGES, user_lang), request.folders
    world = load_world(
        request.world or DEFAULT_WORLD, request.lang or locale_language(), folders.worlds
    )
    residents = len(choose_cast(world, request.residents, request.clones))
    settings = combine(layers, world.settings)
    spec = request.llm or settings.llm.default
    embedding = request.embedding or settings.embedding.default
    print_servers(
        contacts(names_of_run(spec, settings), embedding, settings),
        Text(user_lang),
        aside=aside,
    )
    asked = f"ollama:{settings.llm.model}" if spec == "auto" else spec
    freedom = freedom_in(settings.llm, asked, SCHEDULE_DAILY.kind)
    diagnosis = Diagnosis(
        asked, estimate_load(world.id, world.lang, residents, world.start, DAY, freedom)
    )
    await _examine_models(diagnosis, settings, user_lang, world.lang, is_chosen=spec == "auto")
    # The speed depends on the model.
    embedded = await _embedding(embedding, settings, user_lang, world.lang, diagnosis.model)
    diagnosis.checks = [*_machine(folders.results, words), embedded, *diagnosis.checks]
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
    """Return the findings on a model. One of this process is loaded, which is announced, since it
    may take a while.
    """
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
    if backend == "huggingface":
        print(words["loading"].format(model=model), file=sys.stderr, flush=True)
    return await Probe(servers, model, settings, user_lang, lang, brief=brief).examine()


def _print(diagnosis: Diagnosis, lang: Lang) -> None:
    words = translate_all(DOCTOR_MESSAGES, lang)
    for check in diagnosis.checks:
        print(
            f"{'✓' if check.ok else '✗'} {words['name_' + check.name]}{words['colon']}{check.detail}"
        )
        if check.fix:
            print(f"    → {check.fix}")
    hours = (
        words["unmeasured"]
        if diagnosis.hours is None
        else words["hours"].format(hours=f"{diagnosis.hours:.1f}")
    )
    print(
        "\n"
        + words["estimate"].format(
            calls=ngettext(
                "{count} call",
                "{count} calls",
                round(diagnosis.load.calls),
                count=f"{diagnosis.load.calls:,.0f}",
            ).localize(lang),
            tokens=ngettext(
                "{count} token",
                "{count} tokens",
                round(diagnosis.load.tokens),
                count=f"{diagnosis.load.tokens:,.0f}",
            ).localize(lang),
            hours=hours,
        )
    )
    print(words["works" if diagnosis.works else "fails"].format(model=diagnosis.model))
