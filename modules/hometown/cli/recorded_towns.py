"""The work of `hometown recorded`: recorded towns are listed, and put among the runs."""

from __future__ import annotations

from hometown.cli.declare import Program
from hometown.cli.models import LANGUAGES
from hometown.cli.options import Folders
from hometown.cli.suggest import suggest
from hometown.cli.texts import Text
from hometown.storage.recordings import find_recording, list_recordings, open_recording


def print_recorded_towns(text: Text) -> None:
    """Print the recorded towns, those in the user's language first."""
    print(
        text(
            "Recorded towns show how a town lives with a capable mind; no model on this machine "
            "wrote their replies."
        )
    )
    for recording in list_recordings(text.lang):
        print(
            text(
                "\n{name}: {title} ({language}, {start} to {end})\n  {about}",
                name=recording.name,
                title=recording.title[text.lang],
                language=text(LANGUAGES[recording.lang]),
                start=f"{recording.start:%Y-%m-%d %H:%M}",
                end=f"{recording.end:%H:%M}",
                about=recording.about[text.lang],
            )
        )


def open_recorded_town(name: str, folders: Folders, program: Program, text: Text) -> None:
    """Put a recorded town among the runs, where it stays as it is, and print how to watch it and
    let it live on. Raises BadInput if there is none of that name.
    """
    run = open_recording(folders.results, find_recording(name))
    print(
        text(
            "{name} is among your runs, and stays as it is: hometown replay (replay.py) shows it. "
            "To let it live on as a new run, with a model of yours:\n  {command}",
            name=run,
            command=suggest(program, folders, "resume", "--llm", "BACKEND:MODEL", name=run),
        )
    )
