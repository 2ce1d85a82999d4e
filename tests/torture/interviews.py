"""Asks a resident while the model server is dead in one of several ways: it is told in lines, and
the run is only read.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from unittest import mock

from hometown.cli.commands import main
from hometown.storage.run_names import run_folder
from tests.support.dead_server import KINDS, dead_server
from tests.torture.cases import Lost, case

NEW = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--llm",
    "scripted",
    "--residents",
    "1",
    "--start",
    "20250213-08:00",
    "--step",
    "1",
)

PATIENCE = 0.5
"""Seconds of silence after which the server is given up."""


def asked(folder: Path, count: int, first: int = 0) -> Counter[str]:
    """Ask so often; return how often by the kind of death. Raises Lost where the command falls
    over, or the run has changed.
    """
    toll: Counter[str] = Counter()
    impatient = folder / "impatient.json"
    impatient.write_text(json.dumps({"llm": {"give_up_after": PATIENCE}}), "utf-8")
    with redirect_stdout(StringIO()):
        if main(["run", "town", *NEW, "--results", str(folder)]):
            raise Lost("the run that was to be asked could not be lived")
    before = (run_folder(folder, "town") / "run.sqlite").read_bytes()
    for number in range(first, first + count):
        kind = KINDS[number % len(KINDS)]
        with (
            case("interviews", number),
            dead_server(kind) as address,
            mock.patch.dict(os.environ, OPENAI_BASE_URL=address),
        ):
            said = StringIO()
            with (
                redirect_stdout(said),
                redirect_stderr(said),
                mock.patch("hometown.model.retrying.FIRST_WAIT", 0.01),
            ):
                question = f"Chen Siyuan: how are you, {Random(number).random()}?"
                code = main(
                    [
                        "ask",
                        "town",
                        question,
                        "--llm",
                        "openai:x",
                        "--config",
                        str(impatient),
                        "--results",
                        str(folder),
                    ]
                )
            if code != 3 or "Traceback" in said.getvalue():
                raise Lost(f"{kind}: exit code {code}\n{said.getvalue()}")
            if (run_folder(folder, "town") / "run.sqlite").read_bytes() != before:
                raise Lost("the run has changed")
        toll[kind] += 1
    return toll
