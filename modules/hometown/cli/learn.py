"""`hometown learn`: a resident learns files. Their passages go into the run's inbox as an
intervention a file, and their vectors into the run; the resident remembers them as known before.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hometown.cli.contacts import contacts_of, print_servers
from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.errors import BadRun
from hometown.intervention_interface import furnish_present, resolve_step
from hometown.session import same_embedder
from hometown.storage.run import RunFile
from hometown.study.learning.lessons import FileLesson, embed_lessons, prepare_lessons
from hometown.text import ngettext
from hometown.world.intervention_time import When


def learn_files(
    name: str,
    resident: str,
    files: Sequence[Path],
    at: When | None,
    folders: Folders,
    layers: Sequence[Layer],
    text: Text,
) -> int:
    """Enter the new passages of files, which the resident neither knows nor is about to learn, in a
    run's inbox, embed them if no process is writing the run, print their number by file and return
    0.

    Raises:
        BadInput: There is no such resident, or a file cannot be read or is too large.
    """
    with RunFile.open(folders.results, name) as run:
        last, step = run.last.step, resolve_step(run, at)
        world = furnish_present(run, folders.worlds)
        lessons = prepare_lessons(run, world, resident, files)
    new = [lesson for lesson in lessons if lesson.passages]
    if new:
        _embed(name, folders, layers, new, text)
    with RunFile.open(folders.results, name) as run:
        run.ask([lesson.intervention(step) for lesson in new])
    for lesson in lessons:
        print(_describe(lesson, world.name_of(lesson.who), max(step, last + 1), text))
    return 0


def _describe(lesson: FileLesson, name: str, step: int, text: Text) -> str:
    """Return a line with the number of new passages that a resident knows from a step on."""
    if not lesson.passages:
        return text("{name} knows {file} already: nothing was entered", name=name, file=lesson.file)
    return text(
        ngettext(
            "from step {step} on, {name} knows {file}: {count} new passage, {known} known already",
            "from step {step} on, {name} knows {file}: {count} new passages, {known} known already",
            len(lesson.passages),
            step=step,
            known=lesson.known,
            name=name,
            file=lesson.file,
        )
    )


def _embed(
    name: str, folders: Folders, layers: Sequence[Layer], lessons: Sequence[FileLesson], text: Text
) -> None:
    """Embed passages and store their vectors in the run now if no other process is writing it;
    otherwise its next step does.
    """
    settings = combine(layers)
    try:
        opened = RunFile.open(folders.results, name, write=True)
    except BadRun as error:
        print(
            text(
                "{reason}; the passages are embedded in its next step, which takes longer for that",
                reason=error.localize(text.lang),
            )
        )
        return
    with opened as run:
        print_servers(contacts_of(run.manifest, settings), text)
        texts = [passage for lesson in lessons for passage in lesson.passages.values()]
        embed_lessons(
            run,
            same_embedder(run.manifest, settings),
            texts,
            text("embedding"),
            text("batch"),
        )
