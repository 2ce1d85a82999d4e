"""`compress.py`: a run → movement.json, simulation.md and spread.json, with more on demand. No model takes part."""

from __future__ import annotations

from pathlib import Path

from modules.cli.command import Parser, guarded
from modules.cli.text import locale_language
from modules.errors import BadInput, reason_of
from modules.paths import RESULTS, WORLDS
from modules.text import catalogue


def main(argv: list[str]) -> int:
    """Runs the command and gives its exit code."""
    return guarded(lambda: _main(argv), locale_language())


def _main(argv: list[str]) -> int:
    lang = locale_language()
    words = catalogue(lang, "compress")
    parser = Parser("compress.py", words["about"], lang)
    parser.add_argument("--name", metavar="NAME", required=True, help=words["help_name"])
    parser.add_argument("--tables", action="store_true", help=words["help_tables"])
    parser.add_argument("--html", action="store_true", help=words["help_html"])
    parser.add_argument("--worlds", metavar="DIR", type=Path, default=WORLDS, help=words["help_worlds"])
    parser.add_argument("--results", metavar="DIR", type=Path, default=RESULTS, help=words["help_results"])
    said = parser.parse(argv)
    try:
        for path in compress(said.results, said.name, said.worlds, tables=said.tables, html=said.html):
            print(path)
    except OSError as error:
        raise BadInput("{file} can't be written: {reason}; is there room, and may you write there?", file=error.filename, reason=reason_of(error)) from None
    return 0


def compress(results: Path, name: str, worlds: Path = WORLDS, *, tables: bool = False, html: bool = False) -> list[Path]:
    """Writes the files of the run `name` below a results folder and returns their paths; with `tables` those for analysis too, with
    `html` the page that opens from a file. `worlds` holds the folder of its world.

    Of a run under way it tells what had been lived when it was called. Raises BadRun as `RunReader.open` does.
    """
    # Here, and not above, for the sake of a quick --help.
    from modules.replay.movement import write_movement
    from modules.replay.names import Names
    from modules.replay.reader import RunReader
    from modules.replay.report import write_report
    from modules.replay.spread import write_spread
    from modules.replay.tables import write_tables
    from modules.storage.database import guarded as database_errors

    with RunReader.open(results, name) as run, database_errors(run.run.file):
        names, last = Names.of(run.manifest, worlds), run.last_step()
        folder = results / "compressed" / name
        writers = {folder / "movement.json": write_movement, folder / "simulation.md": write_report, folder / "spread.json": write_spread}
        for path, write in writers.items():
            write(run, names, path, last)
        written = [*writers, *(write_tables(run, folder / "tables", last) if tables else ())]
        if html:
            # Imports Flask, which nothing else here needs.
            from modules.replay.html import write_html

            written.append(folder / "replay.html")
            write_html(run, names, results, worlds, written[-1])
    return written
