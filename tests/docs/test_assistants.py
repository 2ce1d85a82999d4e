"""docs/assistants.md names every command, every public method and every tool of an assistant, and
no other tool.
"""

from __future__ import annotations

import re
from pathlib import Path

import hometown
from hometown import Run, Study, Town, WorldFolder
from hometown.assistant.changing_tools import ChangingTools
from hometown.assistant.reading_tools import ReadingTools
from hometown.cli.commands import COMMANDS
from hometown.paths import ROOT
from hometown.web.server import create_app

PAGE = (ROOT / "docs" / "assistants.md").read_text("utf-8")

TABLE = PAGE[PAGE.index("| task |") :]

COMMANDS_WITHOUT_TASK = {"completion", "mcp", "wishes"}

METHODS_WITHOUT_TASK = {"Run.open", "Run.close", "Run.find_name", "Run.time_of", "Town.close"}

LATER = "_async"
"""The end of the name of a method that does what another one does, for `asyncio`."""


def cells(column: int) -> str:
    return "\n".join(row.split("|")[column] for row in TABLE.splitlines() if row.count("|") > 4)


def test_no_cell_is_empty_without_a_reason() -> None:
    for row in TABLE.splitlines()[2:]:
        assert not re.search(r"\|\s*(–\s*)?\|", row), row


def test_every_command_has_a_task() -> None:
    told = set(re.findall(r"[a-z-]+", cells(2)))
    for command in COMMANDS:
        assert command.words in COMMANDS_WITHOUT_TASK or command.words.split()[0] in told


def test_every_public_method_has_a_task() -> None:
    for owner in (Run, Town, Study, WorldFolder):
        methods = {
            name
            for name, each in vars(owner).items()
            if callable(each) and name[0] != "_" and not name.endswith(LATER)
        }
        for name in {f"{owner.__name__}.{each}" for each in methods} - METHODS_WITHOUT_TASK:
            assert f"`{name}`" in cells(4), name


def test_every_name_of_the_column_is_there() -> None:
    for owner, name in re.findall(r"`(\w+)\.(\w+)`", cells(4)):
        assert hasattr(getattr(hometown, owner), name), name


def test_every_tool_has_a_task(tmp_path: Path) -> None:
    tools = (
        *ReadingTools(tmp_path, tmp_path).all,
        *ChangingTools(create_app(tmp_path, tmp_path)).all,
    )
    names = {tool.__name__ for tool in tools}
    assert set(re.findall(r"`(\w+)`", cells(5))) == names
    assert names <= set(re.findall(r"`(\w+)`", PAGE[: PAGE.index("| task |")]))
