"""Lessons: a resident's new knowledge from files, without passages that they know already or that
wait in the inbox, as interventions; and the embedding of their texts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.model.llm import Embedder
from hometown.model.text_vectors import embed_texts
from hometown.progress_bar import progress
from hometown.storage.run import RunFile
from hometown.study.learning.passages import MAX_PASSAGES, check_file_name, read_passages
from hometown.world.interventions import Intervention
from hometown.world.learning import lesson, parse_passages
from hometown.world.resolve import NameIndex
from hometown.world.world import World

BATCH_PASSAGES = 32
"""Number of passages embedded at once."""


@frozen
class FileLesson:
    """The passages of a file, by number from 1, that are new to a resident; `known` is the number
    of the others.
    """

    who: str
    file: str
    passages: dict[int, str]
    known: int

    def intervention(self, step: int) -> Intervention:
        """Return the lesson as an intervention for the inbox."""
        return lesson(self.who, self.file, self.passages, step)


def prepare_lessons(
    run: RunFile, world: World, resident: str, files: Sequence[Path]
) -> list[FileLesson]:
    """Return a resident's lesson from each file. The resident is given by name, `world` is the town
    as it is furnished by now.

    Raises:
        BadInput: The name is unknown or ambiguous, a file can't be read, or there are more passages
            than a resident may know.
    """
    who = NameIndex("learn", world).resolve(resident.strip())
    known = {memory.text for memory in _background_knowledge(run, who)} | _waiting(run, who)
    lessons: list[FileLesson] = []
    for file in files:
        name, passages = check_file_name(file), read_passages(file, world.lang)
        new = {number: text for number, text in enumerate(passages, start=1) if text not in known}
        known |= set(new.values())
        lessons.append(FileLesson(who, name, new, len(passages) - len(new)))
        if new and len(known) > MAX_PASSAGES:
            raise BadInput(
                "with {file}, {name} would know {count:,} passages; a resident can know {most:,}: give a part of it",
                file=name,
                name=world.name_of(who),
                count=len(known),
                most=MAX_PASSAGES,
            )
    return lessons


def embed_lessons(
    run: RunFile, embedder: Embedder, texts: Iterable[str], what: str, unit: str
) -> None:
    """Embed those texts without a vector in batches of `BATCH_PASSAGES`, and write their vectors to
    a run that is open for writing, with a progress bar labelled `what` with the unit `unit`.

    Raises:
        ModelUnavailable: The embedding does not answer.
    """
    missing = [text for text in texts if not run.vectors.get_many([text])]
    batches = [missing[at : at + BATCH_PASSAGES] for at in range(0, len(missing), BATCH_PASSAGES)]
    for batch in progress(batches, what, unit, len(batches)):
        run.vectors.put_many(asyncio.run(embed_texts(embedder, batch)))
        run.vectors.flush()


def _background_knowledge(run: RunFile, who: str) -> list[Concept]:
    """Return the passages that a resident knows from files after the run's last step."""
    memories = run.restore().memories
    return memories[who].background if who in memories else []


def _waiting(run: RunFile, who: str) -> set[str]:
    """Return the passages that a resident will learn from waiting interventions."""
    answered = run.answered(run.last.step)
    return {
        text
        for entry in run.inbox.interventions()
        if entry.kind == "learn" and entry.target == who and entry.number not in answered
        for text in parse_passages(entry).values()
    }
