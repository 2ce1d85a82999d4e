"""Run one day of a town on a model and write a report to share: `make accept
MODEL=ollama:qwen3:8b`.

The report is results/accept/<model>.md (<model>.zh-CN.md for a Chinese town; <model>-<world>.md of
another world than minitown). An interrupted day is resumed; for a finished one only the report is
written again. Exit code 1 means that the model missed a limit (`limits.py`); with `--lived` it is 0
for a model that merely broke nothing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

from hometown.bench.model_bench import prompt_version
from hometown.cli import start
from hometown.cli.command import run_command as run_command
from hometown.cli.declare import Option, command
from hometown.cli.options import PATH, Language, Seed, SettingsFile
from hometown.cli.texts import Text
from hometown.cli.user_language import locale_language
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.paths import RESULTS
from hometown.storage.run_names import file_of
from hometown.text import N_
from tools.acceptance_report import Report

WORLD, UNTIL = "minitown", "24:00"


def main(argv: list[str]) -> int:
    """Return the exit code of `accept` with the arguments of a command line."""
    text = Text(locale_language())
    return run_command(accept.command("accept.py", text, "start.py"), argv, "accept.py", text.lang)


Model = Annotated[
    str,
    Option(
        "MODEL", help=N_("language model: auto, scripted, or BACKEND:MODEL (setting llm.default)")
    ),
]
World = Annotated[str, Option("WORLD", help=N_("id of a world (ville)"))]
Embedding = Annotated[
    str,
    Option(
        "MODEL",
        help=N_(
            "embedding: auto, hash, e5, ollama:MODEL, openai:MODEL, or "
            "huggingface:PATH_OR_NAME (setting embedding.default)"
        ),
    ),
]
Until = Annotated[
    str, Option("HH:MM", help=N_("stop after the first step that reaches this time of day"))
]
Results = Annotated[Path, Option("FOLDER", PATH, help=N_("folder of the runs (results)"))]
Lived = Annotated[
    bool, Option(help=N_("exit code 0 for a day that was lived to its end, accepted or not"))
]


@command(
    "accept",
    about=N_("Simulate one day of a town on a model and write a report to share."),
)
def accept(
    *,
    llm: Model,
    lang: Language = None,
    world: World = WORLD,
    embedding: Embedding = "hash",
    config: SettingsFile = None,
    until: Until = UNTIL,
    seed: Seed = None,
    results: Results = RESULTS,
    lived: Lived = False,
) -> int:
    """Simulate one day of a town on a model, or resume it, and write a report to share. Return the
    exit code of the run, or 1 if a limit is missed, unless `lived`.
    """
    lang = lang or locale_language()
    name = run_name(llm, lang, world)
    fixed = ["--lang", lang, "--llm", llm, "--embedding", embedding, "--results", str(results)]
    fixed += ["--config", str(config)] if config else []
    is_begun = file_of(results, name).exists()
    begin = ["--resume"] if is_begun else _options_of_new_run(world, until, seed)
    code = start.main(["--name", name, *begin, *fixed])
    if not file_of(results, name).exists():
        return code
    path, prompts = report_path(results, llm, lang, world), prompt_version()
    is_of_these = not is_begun or (path.exists() and prompts in path.read_text("utf-8"))
    report = write_report(results, name, path, prompts if is_of_these else "")
    return code or int(bool(report.missed_limits()) and not lived)


def _options_of_new_run(world: str, until: str, seed: int | None) -> list[str]:
    """Return the options of a run that is not begun yet."""
    given = [] if seed is None else ["--seed", str(seed)]
    return ["--world", world, "--until", until, *given]


def write_report(results: Path, name: str, path: Path, prompts: str = "") -> Report:
    """Write the report of a run to a file, and print the file's path and the verdict.

    Args:
        prompts: version of the prompts with which the whole run was lived; "" if it is unknown.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with RunReader.open(results, name) as run:
        report = Report(run, prompts)
        path.write_text("\n".join(report.lines()) + "\n", "utf-8")
    print(path, report.verdict(), sep="\n")
    return report


def file_word(model: str) -> str:
    """Return a model's name as part of a file's.

    >>> file_word("ollama:qwen3:8b"), file_word("huggingface:/models/Qwen3-4B"), file_word("gguf:/home/ann/m.gguf")
    ('ollama-qwen3-8b', 'huggingface-models-Qwen3-4B', 'gguf-m.gguf')
    """
    return re.sub(r"[^\w.]+", "-", public_name(model)).strip("-.")


def run_name(model: str, lang: Lang, world: str = WORLD) -> str:
    """Return the run's name, with the end of a long model's name, which is the more specific part."""
    return f"accept-{file_word(model)[-50:]}{_world_suffix(world)}-{lang}"


def report_path(results: Path, model: str, lang: Lang, world: str = WORLD) -> Path:
    return (
        results
        / "accept"
        / (file_word(model) + _world_suffix(world) + (".zh-CN.md" if lang == "zh" else ".md"))
    )


def _world_suffix(world: str) -> str:
    """Return the part of a file or run name that names the world; "" for the default world."""
    return "" if world == WORLD else f"-{world}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
