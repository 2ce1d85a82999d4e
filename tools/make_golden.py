"""Make the golden run of the present format: `python -m tools.make_golden`.

Golden runs are small runs that stay in `tests/golden/<schema version>-<engine>/` for good: later
versions still have to fold, compress and show them. One is replaced only while its format is
unreleased.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from hometown.cli.start import main as start
from hometown.paths import ROOT
from hometown.storage.manifest import ENGINE
from hometown.storage.run_names import file_of
from hometown.storage.table_schema import SCHEMA_VERSION

GOLDEN = ROOT / "tests" / "golden"

NAME = "golden"

TOWN = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--llm",
    "scripted",
    "--residents",
    "chen_siyuan,lin_yue",
    "--seed",
    "1",
    "--start",
    "20250213-10:00",
    "--stride",
    "60",
    "--step",
    "6",
)

SETTINGS = {"record_prompts": False, "embedding": {"dimension": 16}}
"""Settings that keep the file small."""


def make() -> Path:
    """Live the golden run of this version, write its file, and return its path. Ends the program if
    the run is not lived to its end.
    """
    file = GOLDEN / f"{SCHEMA_VERSION}-{ENGINE}" / "run.sqlite"
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder)
        settings = results / "settings.json"
        settings.write_text(json.dumps(SETTINGS), "utf-8")
        if start(["--name", NAME, "--results", folder, "--config", str(settings), *TOWN]):
            sys.exit("the golden run was not lived to its end")
        with closing(sqlite3.connect(file_of(results, NAME))) as database:
            database.execute("PRAGMA page_size = 512")  # small tables waste less of small pages
            database.execute("VACUUM")
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file_of(results, NAME), file)
    return file


if __name__ == "__main__":
    print(make().relative_to(ROOT))
