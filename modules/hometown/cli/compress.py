"""`compress.py`: a run → movement.json, simulation.md and spread.json, with more on demand. No
model takes part.
"""

from __future__ import annotations

import sys
from functools import partial

from hometown.cli.command import Command, run
from hometown.cli.options import Options, option, options_of
from hometown.cli.text import Text
from hometown.cli.user_language import user_language
from hometown.errors import BadInput, reason_of
from hometown.language import Lang
from hometown.text import Phrase

PROGRAM = "compress.py"


def main(argv: list[str]) -> int:
    """Runs the command and returns its exit code."""
    lang = user_language(argv)
    return run(command(Text(lang)), argv, PROGRAM, lang)


def command(text: Text) -> Command:
    """The command line of `compress.py`."""
    params = [
        option("name", text, required=True),
        *(option(name, text) for name in ("tables", "html", "worlds", "results")),
    ]
    return Command(
        PROGRAM,
        text,
        params,
        lambda ctx: partial(export, options_of(ctx, text, "start.py"), text),
        about=text("about_export"),
    )


def export(options: Options, text: Text) -> int:
    """Writes the files and prints their paths."""
    from hometown.export.write import export_run  # takes a while, which --help need not wait for

    try:
        notify = partial(_note, lang=text.lang)
        for path in export_run(
            options.results,
            options.name or "",
            options.worlds,
            tables=options.tables,
            html=options.html,
            notify=notify,
        ):
            print(path)
    except OSError as error:
        raise BadInput(
            "can't write {file}: {reason}; check the free space and the permissions of its folder",
            file=error.filename,
            reason=reason_of(error),
        ) from None
    return 0


def _note(note: Phrase, lang: Lang) -> None:
    print(note.localize(lang), file=sys.stderr)
