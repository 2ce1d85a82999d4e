"""The work of `hometown world`: worlds are created, imported, enlarged and checked."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from hometown.cli.declare import Program
from hometown.cli.options import Folders
from hometown.cli.picture_file import check_picture_name, save_picture
from hometown.cli.suggest import suggest
from hometown.cli.texts import Text
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.society.livelihood import analyse_livelihoods
from hometown.text import N_, ngettext
from hometown.world.book.book import Book
from hometown.world.load import folder_of, inspect_world, list_worlds, load_world
from hometown.world.world import World

if TYPE_CHECKING:
    from hometown.authoring.problems import Problem

PROBLEMS = {
    "error": N_("{number:>3} error    {line}"),
    "warning": N_("{number:>3} warning  {line}"),
}


def create_world(
    world: str, langs: Sequence[Lang], folders: Folders, program: Program, text: Text
) -> int:
    """Create a small world in these languages, and return 0.

    Raises:
        BadWorld: It can't be created; nothing has been written.
    """
    from hometown.authoring.starter import make_world

    folder = make_world(world, tuple(langs), folders.worlds)
    print_world(folder, langs[0], folders, program, text)
    return 0


def create_drawn_world(
    file: Path, name: str, langs: Sequence[Lang], folders: Folders, program: Program, text: Text
) -> int:
    """Create a world from a plan in plain text, named like the file unless it has a name; return 0.

    Raises:
        BadInput: The file is no plain text, or several languages are given.
        BadWorld: The world can't be created; nothing has been written.
    """
    from hometown.authoring.importing.from_text import SUFFIXES

    if not file.is_file() or file.suffix.lower() not in SUFFIXES:
        raise BadInput(
            "{file} is no text file ({suffixes}) with a plan; docs/worlds.md has an example",
            file=file,
            suffixes=list(SUFFIXES),
        )
    return create_imported_world(file, name or file.stem, langs, "", folders, program, text)


def create_imported_world(
    source: Path,
    name: str,
    langs: Sequence[Lang],
    town: str,
    folders: Folders,
    program: Program,
    text: Text,
) -> int:
    """Create a world from files of another system, in the language of these, and return 0.

    Args:
        source: A file or a folder.
        name: The name of the new world.
        langs: Its language; none for that of the texts.
        town: The town or saved game to be taken, where the folder has several.
        folders: The folders of worlds and results.
        program: The program, for commands to type.
        text: The user's language.

    Raises:
        BadInput: Several languages are given.
        BadWorld: It can't be created; nothing has been written.
    """
    from hometown.authoring.importing.import_report import FILE as REPORT
    from hometown.authoring.importing.importer import convert_world

    if len(langs) > 1:
        raise BadInput(
            "an imported world has one language, that of its source, not {langs}: write --lang en or --lang zh",
            langs=list(langs),
        )
    imported = convert_world(
        source, name, langs[0] if langs else None, folders.worlds, default=text.lang, town=town
    )
    print(*imported.report.summary(str(imported.folder / REPORT), text.lang), "", sep="\n")
    print_world(imported.folder, imported.lang, folders, program, text)
    return 0


def create_joined_world(
    world: str, count: int, name: str, folders: Folders, program: Program, text: Text
) -> int:
    """Create a large world of `count` districts, each a copy of a small one, and return 0.

    Raises:
        BadInput: It can't be created; nothing has been written.
    """
    from hometown.authoring.districts.making import make_districts

    langs = inspect_world(folder_of(world, folders.worlds), text.lang)[2]
    folder = make_districts(world, count, name, folders.worlds)
    lang = text.lang if text.lang in langs else langs[0]
    print_world(folder, lang, folders, program, text)
    return 0


def report_world(which: str, out: Path | None, days: int, folders: Folders, text: Text) -> int:
    """Print each problem of a world in a line, draw an overview and return the exit code.

    Args:
        which: The world, an id or a folder.
        out: The picture's file; None for one below the results.
        days: The days for which a society is simulated by its rules alone.
        folders: The folders of worlds and results.
        text: The user's language.

    Returns:
        2 if there are errors, else 0.
    """
    from hometown.authoring.lint import lint

    check_picture_name(out)
    known = which in list_worlds(folders.worlds) or not Path(which).is_dir()
    folder = (folder_of(which, folders.worlds) if known else Path(which)).resolve()
    report = lint(folder)
    for number, problem in enumerate(report.problems, 1):
        print(text(PROBLEMS[problem.level], number=number, line=problem.line))
    print(
        text(
            "{name}: {errors}, {warnings}",
            name=folder.name,
            errors=ngettext("{count} error", "{count} errors", report.errors),
            warnings=ngettext(
                "{count} warning", "{count} warnings", len(report.problems) - report.errors
            ),
        )
    )
    if report.world and report.world.book:
        _print_livelihood(report.world.book, text)
    if days and not report.errors:
        lang = (
            report.world.lang if report.world and text.lang not in report.world.langs else text.lang
        )
        _print_trial(load_world(folder, lang), days, text)
    if report.world:
        picture = out or folders.results / "worlds" / f"{folder.name}.png"
        _draw_overview(report.world, report.problems, picture)
        print(text("overview with numbered problems: {file}", file=picture))
    return 2 if report.errors else 0


def _draw_overview(world: World, problems: list[Problem], picture: Path) -> None:
    """Draw a world with its problems into a PNG file. Raises BadInput if it can't be written."""
    from hometown.authoring.overview import draw_overview

    drawn = BytesIO()
    draw_overview(world, problems).save(drawn, "PNG")
    save_picture(picture, drawn.getvalue())


def _print_livelihood(book: Book, text: Text) -> None:
    """Print how each need of a society is met."""
    print(text("how needs are met, in points a day:"))
    for proof in analyse_livelihoods(book):
        name = book.needs[proof.need].name.get(text.lang, proof.need)
        weakest = proof.weakest or text("residents' time")
        print(
            text(
                "  {need}: {supplied:,.0f} can be supplied, {used:,.0f} are used; "
                "{minutes:,.0f} minutes of work a day; stores last {days:.1f} days; gives way "
                "first: {weakest}",
                need=name,
                supplied=proof.supplied,
                used=proof.used,
                minutes=proof.minutes,
                days=proof.days,
                weakest=weakest,
            )
        )


def _print_trial(world: World, days: int, text: Text) -> None:
    """Simulate some days of a society by its rules alone, and print the lowest level of each need
    and the prices of each day.

    Raises:
        BadInput: The world has no society.
    """
    from hometown.society.trial import run_trial

    found, book = run_trial(world, days), world.book
    assert book is not None
    print(
        text(
            ngettext(
                "a trial of {count} day by rules alone: the lowest level of each need, of "
                "1000, with its resident; and prices at the end of the day",
                "a trial of {count} days by rules alone: the lowest level of each need, of "
                "1000, with its resident; and prices at the end of the day",
                days,
            )
        )
    )
    for day in found:
        needs = [
            f"{book.needs[need].name.get(text.lang, need)} {level}"
            + (f" ({world.name_of(who)})" if who else "")
            for need, (level, who) in day.lowest.items()
        ]
        prices = [
            f"{book.kinds[kind].name.get(text.lang, kind)} {price}"
            for kind, price in day.prices.items()
        ]
        print(text("  {number:>3}  {figures}", number=day.number, figures=[*needs, *prices]))


def print_world(folder: Path, lang: Lang, folders: Folders, program: Program, text: Text) -> None:
    """Print the size of a new world, and the next steps."""
    world = load_world(folder, lang)
    print(
        text(
            "Created the world {name} in {folder}: {residents}, {arenas} and open places, {things}.",
            name=folder.name,
            folder=folder,
            residents=ngettext("{count} resident", "{count} residents", len(world.personas)),
            arenas=ngettext("{count} room", "{count} rooms", len(world.arenas)),
            things=ngettext("{count} object", "{count} objects", len(world.things)),
        )
    )
    check = suggest(program, folders, "check_world", world=folder.name)
    run = suggest(program, folders, "run", name=f"{folder.name}-1", world=folder.name, lang=lang)
    print(
        text(
            "Next steps:\n"
            "  1. open {map} in Tiled, and residents/*.json in an editor (docs/worlds.md "
            "explains them)\n"
            "  2. {check}\n"
            "  3. {run}",
            map=folder / "map.tmj",
            check=check,
            run=run,
        )
    )
