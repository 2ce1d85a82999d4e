"""The work of `hometown world people`: a world whose residents are rows of a table, or the people of
interview transcripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hometown.cli.declare import Program
from hometown.cli.options import Folders, ModelOptions
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.cli.world_making import print_world
from hometown.config import combine
from hometown.errors import BadInput
from hometown.progress_bar import progress
from hometown.text import Phrase, ngettext, pgettext

if TYPE_CHECKING:
    from hometown.authoring.population.people_table import PersonRow
    from hometown.authoring.population.transcripts import Transcript


def create_population(
    table: Path,
    name: str,
    base: str,
    count: int | None,
    quota: Sequence[str],
    seed: int,
    models: ModelOptions,
    folders: Folders,
    program: Program,
    text: Text,
) -> int:
    """Create a world whose residents are rows of a table, or of a folder of transcripts, print the
    implausible ones and how the quotas were met, and return 0.

    Raises:
        BadInput: The table, a quota or the world is not possible. Nothing has been written.
    """
    from hometown.authoring.importing.guess import speaks
    from hometown.authoring.population.housed_rows import make_population
    from hometown.authoring.population.people_table import read_people
    from hometown.authoring.population.plausibility import find_implausible
    from hometown.authoring.population.quotas import draw_rows, parse_quotas
    from hometown.authoring.population.transcripts import write_sources

    quotas = parse_quotas(quota)
    transcripts = _read_transcripts(table, models, text) if table.is_dir() else []
    rows = [each.to_row(at) for at, each in enumerate(transcripts, 1)] or read_people(table)
    lang = speaks(" ".join(row.get("occupation") + row.get("about") for row in rows))
    implausible = find_implausible(rows, lang)
    _print_implausible(implausible, transcripts, text)
    plausible = [row for row in rows if row.line not in implausible]
    if not plausible:
        raise BadInput("{file}: no row is plausible; correct those left out above", file=table)
    drawn = draw_rows(plausible, count or len(plausible), quotas, seed)
    folder = make_population(drawn, base, name, folders.worlds, lang)
    if transcripts:
        sources = write_sources([transcripts[row.line - 1] for row in drawn], folder)
        print(text("the line of each value in its transcript: {file}", file=sources))
    _print_drawn(drawn, len(plausible), quotas, text)
    print_world(folder, lang, folders, program, text)
    return 0


def _print_implausible(
    implausible: Mapping[int, Sequence[Phrase]], transcripts: Sequence[Transcript], text: Text
) -> None:
    """Print the reasons against people, by the line of the table or the name of the transcript."""
    for line, reasons in implausible.items():
        for reason in reasons:
            if transcripts:
                file = transcripts[line - 1].file.name
                print(text("{file} is left out: {reason}", file=file, reason=reason))
            else:
                print(text("line {line} is left out: {reason}", line=line, reason=reason))


def _print_drawn(
    drawn: Sequence[PersonRow], plausible: int, columns: Iterable[str], text: Text
) -> None:
    """Print how many people were drawn, and how many of them have each value of some columns."""
    from hometown.authoring.population.quotas import count_values

    print(
        text(
            ngettext(
                "{drawn} of {count} plausible row were drawn",
                "{drawn} of {count} plausible rows were drawn",
                plausible,
                drawn=len(drawn),
            )
        )
    )
    for column in columns:
        counts = count_values(drawn, column).most_common()
        found = text(", ").join(f"{value or '–'} {number}" for value, number in counts)
        print(text("{column}: {counts}", column=column, counts=found))


def _read_transcripts(folder: Path, models: ModelOptions, text: Text) -> list[Transcript]:
    """Return the people of a folder of transcripts, read by a model, or by rules alone."""
    from hometown.authoring.population.transcripts import read_transcripts

    transcripts = read_transcripts(folder)
    if models.llm in (None, "scripted"):
        return transcripts
    return run_stoppable(_draft(transcripts, models, text))


async def _draft(
    transcripts: Sequence[Transcript], models: ModelOptions, text: Text
) -> list[Transcript]:
    """Return transcripts with the facts that a model finds in them. Raises BadInput for a model
    that cannot be had, ModelUnavailable if it does not answer.
    """
    from hometown.authoring.population.transcript_draft import draft_person
    from hometown.backends import choose_model

    settings = combine(read_settings(models.config, models.llm))
    model, _ = await choose_model(models.llm or "", settings, text.lang)
    unit = text(pgettext("unit", "transcript"))
    return [
        await draft_person(each, model)
        for each in progress(transcripts, text("reading"), unit, len(transcripts))
    ]
