"""`start.py --doctor`: would a run work here, and how long would a day take?"""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from modules.cli.options import DEFAULT_WORLD, Options
from modules.cli.session import cast
from modules.cli.text import locale_language
from modules.clock import DAY
from modules.config import Layer, combine
from modules.errors import BadInput, HometownError
from modules.model.choose import BACKENDS
from modules.model.embedding import make_embedder
from modules.model.estimate import Load, expected
from modules.model.probe import Check, Findings, Probe
from modules.model.servers import servers_for
from modules.settings import Settings
from modules.text import catalogue
from modules.world.load import load_world
from modules.world.world import Lang

NEEDED = ("flask", "filelock", "jinja2", "llama_index.core", "numpy", "ollama", "openai", "orjson", "pydantic", "tqdm", "zstandard")
"""The packages of requirements-core.txt, by their names in Python."""

FREE_BYTES = 1_000_000_000
EMBEDDED = 32


@dataclass
class Diagnosis:
    """`model` is what a run would get; `hours` are those of a game day, None if nobody could measure."""

    model: str
    load: Load
    checks: list[Check] = field(default_factory=list)
    slots: int | None = None
    hours: float | None = None

    @property
    def works(self) -> bool:
        return all(check.ok or not check.vital for check in self.checks)

    def plain(self) -> dict[str, Any]:
        """For `--json`."""
        checks = [{"name": one.name, "ok": one.ok, "detail": one.detail, "cure": one.cure} for one in self.checks]
        return {"checks": checks, "slots": self.slots, "estimate": {"calls": round(self.load.calls), "tokens": round(self.load.tokens), "hours": self.hours}}


async def doctor(options: Options, layers: Sequence[Layer], said_in: Lang) -> int:
    """Examines, prints, and gives the exit code: 0 if a run would work, 1 if not."""
    found = await examine(options, layers, said_in)
    if options.json:
        print(orjson.dumps(found.plain(), option=orjson.OPT_INDENT_2).decode())
    else:
        _print(found, catalogue(said_in, "doctor"))
    return 0 if found.works else 1


async def examine(options: Options, layers: Sequence[Layer], said_in: Lang) -> Diagnosis:
    """Raises BadInput for a world or residents that do not exist."""
    words = catalogue(said_in, "doctor")
    world = load_world(options.world or DEFAULT_WORLD, options.lang or locale_language(), options.worlds)
    residents = len(cast(options, world))
    settings = combine([world.settings, *layers])
    asked = options.llm or settings.llm.default
    found = Diagnosis(f"ollama:{settings.llm.model}" if asked == "auto" else asked, expected(world.lang, residents, DAY))
    found.checks += _machine(options.results, words)
    found.checks.append(await _embedding(options.embedding or settings.embedding.default, settings, said_in))
    if found.model != "scripted":
        _take(found, await _model(found.model, settings, said_in, world.lang))
    if asked == "auto" and any(not one.ok and one.vital and one.name in ("server", "model") for one in found.checks):
        _fall_back(found, words)
    for other in dict.fromkeys(settings.llm.by_kind.values()):
        if other not in (found.model, "scripted"):
            found.checks += (await _model(other, settings, said_in, world.lang, brief=True)).checks
    if found.model == "scripted":
        found.hours = 0.0
    return found


def _take(found: Diagnosis, findings: Findings) -> None:
    found.checks += findings.checks
    found.slots = findings.slots
    if findings.slots is not None:
        found.hours = round(found.load.hours(findings.reading, findings.writing), 4)


def _fall_back(found: Diagnosis, words: dict[str, str]) -> None:
    """With auto, a server or a model that is missing keeps no run from working: the scripted one takes over, and is named."""
    found.checks = [replace(one, vital=False) if one.name in ("server", "model") else one for one in found.checks]
    found.checks.append(Check("scripted", True, words["scripted"]))
    found.model = "scripted"


def _machine(results: Path, words: dict[str, str]) -> list[Check]:
    good = sys.version_info >= (3, 11)
    missing = [name for name in NEEDED if not _installed(name)]
    free = shutil.disk_usage(next(folder for folder in (results.resolve(), *results.resolve().parents) if folder.exists())).free
    return [
        Check("python", good, platform.python_version(), "" if good else words["newer_python"]),
        Check("packages", not missing, ", ".join(missing) or words["all_there"], words["install"] if missing else ""),
        Check("disk", free >= FREE_BYTES, words["free"].format(gigabytes=f"{free / 1e9:.1f}"), "" if free >= FREE_BYTES else words["make_room"]),
        Check("gpu", True, gpu() or words["no_gpu"], vital=False),
    ]


def _installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the parent of a dotted name
        return False


def gpu() -> str:
    """Names and memory of NVIDIA cards, as nvidia-smi tells them; "" where there is none, or it says nothing."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ""
    query = [program, "--query-gpu=name,memory.total,memory.free", "--format=csv,noheader"]
    try:
        return "; ".join(subprocess.run(query, check=True, capture_output=True, text=True, timeout=5).stdout.strip().splitlines())
    except (OSError, subprocess.SubprocessError):
        return ""


async def _embedding(spec: str, settings: Settings, said_in: Lang) -> Check:
    words = catalogue(said_in, "doctor")
    try:
        embedder = make_embedder(spec, settings)
        began = time.perf_counter()
        await embedder.embed([f"{number}. {words['ask_plain']}" for number in range(EMBEDDED)])
    except HometownError as error:
        return Check("embedding", False, error.said(said_in), words["other_embedding"])
    rate = EMBEDDED / (time.perf_counter() - began)
    return Check("embedding", True, words["embedding"].format(name=spec, rate=f"{rate:.0f}", dimension=embedder.dimension))


async def _model(spec: str, settings: Settings, said_in: Lang, lang: Lang, *, brief: bool = False) -> Findings:
    """What examining a model finds; one for this process is loaded for that, which the user is told of, since it may take a while."""
    words = catalogue(said_in, "doctor")
    backend, _, model = spec.partition(":")
    if backend not in BACKENDS or not model:
        return Findings([Check("model", False, words["unknown"].format(model=spec), words["known"])])
    try:
        servers = servers_for(backend, model, settings)
    except BadInput as error:
        return Findings([Check("server", False, error.said(said_in), words[f"start_{backend}"])])
    if backend == "huggingface":
        print(words["loading"].format(model=model), file=sys.stderr, flush=True)
    return await Probe(servers, model, settings, said_in, lang, brief=brief).examine()


def _print(found: Diagnosis, words: dict[str, str]) -> None:
    for check in found.checks:
        print(f"{'✓' if check.ok else '✗'} {words['name_' + check.name]}{words['colon']}{check.detail}")
        if check.cure:
            print(f"    → {check.cure}")
    hours = words["unmeasured"] if found.hours is None else words["hours"].format(hours=f"{found.hours:.1f}")
    print("\n" + words["estimate"].format(calls=f"{found.load.calls:,.0f}", tokens=f"{found.load.tokens:,.0f}", hours=hours))
    print(words["works" if found.works else "fails"].format(model=found.model))
