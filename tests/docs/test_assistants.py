"""docs/assistants.md has the table of `tools.powers`, which names every command, every public method
and every tool of an assistant, and nothing that is not there.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import hometown
from hometown import League, Run, Study, Town, Visit, WorldFolder
from hometown.assistant.changing_tools import ChangingTools
from hometown.assistant.reading_tools import ReadingTools
from hometown.cli.commands import COMMANDS
from hometown.paths import ROOT
from hometown.web.server import create_app
from tools.messages import page_file_of
from tools.powers import HEAD, POWERS, Way
from tools.write_docs import assistants

PAGE = (ROOT / "docs" / "assistants.md").read_text("utf-8")

COMMANDS_WITHOUT_TASK = {"completion", "mcp"}

METHODS_WITHOUT_TASK = {"open", "close", "find_name", "time_of"}

LATER = "_async"
"""The end of the name of what does the same as another function, for `asyncio`."""


def names(*ways: object) -> set[str]:
    return {name for way in ways if isinstance(way, Way) for name in way.listed}


PYTHON = names(*(power.python for power in POWERS))


def functions(owner: object) -> set[str]:
    return {name for name in dir(owner) if name[0] != "_" and callable(getattr(owner, name))}


def test_the_table_is_current() -> None:
    assert assistants(PAGE) == PAGE


def test_every_command_has_a_task() -> None:
    words = {command.words for command in COMMANDS}
    assert names(*(power.commands for power in POWERS)) == words - COMMANDS_WITHOUT_TASK


def test_every_public_function_has_a_task() -> None:
    """What `Run` and `Town` have in common is listed once."""
    for owner in (Run, Town, Study, League, Visit, WorldFolder):
        for name in functions(owner) - METHODS_WITHOUT_TASK:
            ways = {f"{each}.{name}" for each in (owner.__name__, "Town")}
            assert ways & PYTHON or name.endswith(LATER), f"{owner.__name__}.{name}"
    listed = {name for name in hometown.__all__ if name[0].islower() and not name.endswith(LATER)}
    assert listed == {name for name in PYTHON if "." not in name}


def test_every_function_of_the_table_is_there() -> None:
    for name in PYTHON:
        owner, _, method = name.rpartition(".")
        assert callable(getattr(getattr(hometown, owner) if owner else hometown, method)), name


def test_every_tool_has_a_task(tmp_path: Path) -> None:
    tools = (
        *ReadingTools(tmp_path, tmp_path).all,
        *ChangingTools(create_app(tmp_path, tmp_path)).all,
    )
    known = {tool.__name__ for tool in tools}
    assert names(*(power.tools for power in POWERS)) == known
    assert known <= set(re.findall(r"`(\w+)`", PAGE[: PAGE.index(HEAD)]))


def test_words_of_the_page_stand_there() -> None:
    shown = json.loads(page_file_of("zh").read_bytes())
    for power in POWERS:
        for words in re.findall(r"\*(.+?)\*", power.page if isinstance(power.page, str) else ""):
            assert words in shown, words
