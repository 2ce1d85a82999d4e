"""`start.py --check` and `--repair`: what of a damaged run is sound, and a new run made of it."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from modules.cli.options import Options
from modules.cli.suggest import start_line
from modules.cli.text import Text
from modules.config import Layer, combine
from modules.errors import BadInput, BadRun, reason_of
from modules.model.embedding import make_embedder
from modules.model.llm import Embedder
from modules.repair import NOTHING, Soundness, examine, mended, rescue
from modules.storage.names import check_name, existing_file, file_of
from modules.storage.run import Run
from modules.storage.salvage import UNREADABLE, lenient, page_faults
from modules.text import said

UNSOUND = 1

REPAIRED = "-repaired"


def check(name: str, results: Path, text: Text) -> int:
    """Prints what is sound in a run. Gives 0 where all of it is, 1 where it is not. Raises BadRun where there is no such run."""
    file = existing_file(results, name)
    try:
        with Run.open(results, name) as run:
            found = examine(run)
    except UNREADABLE as error:
        print(text("check_unreadable", name=name, error=reason_of(error)))
        found = NOTHING
    if not found.sound:
        with closing(lenient(file)) as database:
            pages = tuple(page_faults(database))
        with mended(file) as run:
            rest = examine(run)
        found = replace(rest, pages=pages, steps=max(found.steps, rest.steps))
    for line in _told(found, text):
        print(line)
    print(text("check_sound" if found.sound else "check_unsound", name=name, step=found.folds))
    return 0 if found.sound else UNSOUND


def _told(found: Soundness, text: Text) -> list[str]:
    """What was looked at, a line each."""
    lines = [text("check_pages_bad", faults="; ".join(said(one, text.lang) for one in found.pages)) if found.pages else text("check_pages")]
    lines.append(text("check_digests", step=found.digests, steps=found.steps))
    lines.append(text("check_folds", step=found.folds, steps=found.steps) + (text("check_differs", what=found.difference) if found.difference else ""))
    if found.calls:
        lines.append(text("check_calls", count=len(found.calls), first=found.calls[0]))
    if found.vectors:
        lines.append(text("check_vectors", count=found.vectors))
    lines.append(text("check_journal", count=found.journal, step=found.folds + 1))
    return lines


def repair(name: str, options: Options, layers: list[Layer], text: Text) -> int:
    """Makes a new run of all that is sound, and says how to go on with it. Raises BadRun where nothing is, or the new name is taken."""
    new = check_name(options.name or name + REPAIRED)
    if file_of(options.results, new).exists():
        raise BadRun("there is a run {new!r} already: say by --name what the repaired one shall be called", new=new)
    with mended(existing_file(options.results, name)) as run:
        done = asyncio.run(rescue(run, options.results, new, _embedder(run, layers)))
    print(text("repaired", name=name, new=new, step=done.last, steps=done.steps if done.steps >= 0 else "?"))
    if done.calls:
        print(text("repaired_calls", count=done.calls))
    if done.vectors:
        print(text("repaired_vectors", count=done.vectors))
    print(text("goes_on", command=start_line(options, "--name", new, "--resume")))
    return 0


def _embedder(run: Run, layers: list[Layer]) -> Embedder | None:
    """The run's embedding, if it can be had here and is still the same."""
    settings = run.manifest.settings.model_copy(update={"machine": combine(layers).machine})
    try:
        embedder = make_embedder(run.manifest.embedding, settings)
    except BadInput:
        return None
    return embedder if embedder.dimension == run.manifest.dimension else None
