"""The figures of `python -m tools.prose`, on sources that are read at a glance."""

from __future__ import annotations

import ast
from pathlib import Path

from tools.prose import Prose, Source, draw, format_table, read_sources

TEXT = '''"""What a module is for."""

LIMIT = 3
"""Somebody counts what is there."""


def told(count: int) -> int:
    """Return a number."""
    return count + 1


def nothing() -> None:
    """Do nothing."""
'''


def source(path: str = "modules/one.py") -> Source:
    return Source(Path(path), TEXT, ast.parse(TEXT))


def test_docstrings_of_modules_constants_and_functions_are_counted() -> None:
    prose = Prose([source()])
    assert [docstring.place for docstring in prose.docstrings] == [
        f"modules/one.py:{line}" for line in (1, 4, 8, 13)
    ]
    assert prose.question_openings == 1 / 4
    assert prose.per_thousand_words(lambda word: word == "what") == 1000 / 15


def test_functions_are_measured_without_their_docstrings() -> None:
    prose = Prose([source()])
    assert [body.lines for body in prose.bodies] == [1]
    assert prose.participles == ["modules/one.py:7 told"]
    assert prose.longest_function == 3


def test_names_and_files_that_occur_twice_are_found() -> None:
    prose = Prose([source(), source("modules/room/one.py")])
    assert prose.repeated_names == ["nothing", "told"]
    assert prose.repeated_files == ["one.py"]


def test_this_tree_has_each_public_name_and_file_name_once_and_can_be_drawn_from() -> None:
    sources = read_sources()
    prose = Prose(sources)
    assert (prose.repeated_names, prose.repeated_files) == ([], [])
    assert not [each for each in sources if each.path.parts[0] in ("tests", "benchmarks")]
    some = sources[:40]
    assert format_table(Prose(some)).count("\n") == 11
    functions, docstrings = draw(some, "a commit")
    assert (functions, docstrings) == draw(some, "a commit") != draw(some, "another")
    assert len(functions) == len(docstrings) == 20
