"""Recorded towns: runs that come with Hometown and show how a town lives with a capable mind.

Each is a folder of `data/recordings`: `recording.json` describes it, and `run.sqlite.xz` is the
run. No model on this machine wrote its replies, and its manifest names none. To be opened, it is
copied among the user's runs, where it can be watched, verified and forked like any other.
"""

from __future__ import annotations

import lzma
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.paths import RECORDINGS
from hometown.storage.create import new_folder
from hometown.storage.database import transaction
from hometown.storage.identity import rename_in_manifest
from hometown.storage.listing import read_summary
from hometown.storage.run_names import file_of, free_name, run_folder, run_names
from hometown.storage.world_copy import fill_in_pictures
from hometown.world.load import folder_of

DESCRIPTION, PACKED_RUN = "recording.json", "run.sqlite.xz"
"""The files of a recorded town."""


class Recording(BaseModel):
    """A recorded town: the id of its run, its world, the language that is spoken in it, the game
    time that it covers, and its title and description in each language.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    id: str
    world: str
    lang: Lang
    start: datetime
    end: datetime
    title: Mapping[Lang, str]
    about: Mapping[Lang, str]

    @property
    def packed_run(self) -> Path:
        """The path of the packed run."""
        return RECORDINGS / self.name / PACKED_RUN


def list_recordings(lang: Lang) -> list[Recording]:
    """Return all recorded towns, by name, those in a language first."""
    recordings = [
        Recording.model_validate_json(file.read_bytes())
        for file in sorted(RECORDINGS.glob(f"*/{DESCRIPTION}"))
    ]
    return sorted(recordings, key=lambda recording: recording.lang != lang)


def find_recording(name: str) -> Recording:
    """Return the recorded town of a name. Raises BadInput, with all names, if there is none."""
    recordings = {recording.name: recording for recording in list_recordings("en")}
    if name not in recordings:
        raise BadInput(
            "there is no recorded town {name!r}: there are {names}",
            name=name,
            names=list(recordings),
        )
    return recordings[name]


def recording_title(run: str, lang: Lang) -> str:
    """Return the title of the recorded town whose run has this id; "" for any other run."""
    titles = (each.title[lang] for each in list_recordings(lang) if each.id == run)
    return next(titles, "")


def open_recording(results: Path, recording: Recording) -> str:
    """Return the name of a recorded town's copy among the user's runs, which is made if there is
    none yet. No run is overwritten: where the name is taken, the copy gets the next free one.

    Raises:
        BadRun: The copy cannot be written.
    """
    name = recording.name
    for other in run_names(results):
        if other.startswith(name) and _has_id(file_of(results, other), recording.id):
            return other
    if run_folder(results, name).exists():
        name = free_name(results, name)
    with new_folder(results, name) as building:
        file = building / "run.sqlite"
        file.write_bytes(lzma.decompress(recording.packed_run.read_bytes()))
        with (
            closing(sqlite3.connect(file, isolation_level=None)) as database,
            transaction(database),
        ):
            fill_in_pictures(database, folder_of(recording.world))
            rename_in_manifest(database, name)
    return name


def _has_id(file: Path, run: str) -> bool:
    """Return True if a file is the run with this id; False if it cannot be read."""
    try:
        return read_summary(file).id == run
    except (BadInput, OSError):
        return False
