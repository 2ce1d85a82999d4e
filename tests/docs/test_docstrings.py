"""Docstrings open with a verb or a noun, never with a question word, and functions are named by
verbs, never by a bare participle, in the rooms that have been edited.

`ruff` refuses other moods than the imperative (D401); its list of exceptions in pyproject.toml and
the list of rooms here belong together.
"""

from __future__ import annotations

import ast
from pathlib import Path

from hometown.paths import ROOT
from tools.prose import Prose, Source

PACKAGE = Path("modules/hometown")

EDITED = (
    *(
        PACKAGE / room
        for room in (
            "agent",
            "authoring",
            "cli",
            "doctor",
            "export",
            "history",
            "memory",
            "model",
            "page",
            "scripted",
            "shards",
            "society",
            "storage",
            "study",
            "web",
            "world",
        )
    ),
    Path("tools"),
    *(
        file.relative_to(ROOT)
        for file in sorted((ROOT / PACKAGE).glob("*.py"))
        if file.name != "unwieldy.py"
    ),
)
"""Rooms, and single files, to which the rules apply."""

MAX_WHAT = 2.5
""""what" in 1,000 words of docstrings."""

MAX_VAGUE = 1.0
""""somebody" and its kin in 1,000 words of docstrings."""


def files_of(room: Path) -> list[Path]:
    path = ROOT / room
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def find_questions(prose: Prose) -> list[str]:
    return [each.place for each in prose.docstrings if each.opens_with_question]


def test_docstrings_and_names_of_the_edited_rooms_keep_the_rules() -> None:
    """No docstring opens with a question word or paraphrases what it could name, and no function is
    named by a participle.
    """
    prose = Prose([Source.read(file) for room in EDITED for file in files_of(room)])
    assert find_questions(prose) == []
    assert prose.participles == []
    assert prose.what_rate <= MAX_WHAT
    assert prose.vague_rate <= MAX_VAGUE


def test_a_question_and_a_participle_are_found() -> None:
    text = (
        'def told() -> int:\n    """What was said."""\n\ndef tell() -> None:\n    """Say it."""\n'
    )
    prose = Prose([Source(Path("a.py"), text, ast.parse(text))])
    assert find_questions(prose) == ["a.py:2"]
    assert prose.participles == ["a.py:1 told"]
