"""Lessons: towns to study with a class, each with questions, from `data/lessons`."""

from __future__ import annotations

import re
import shlex
from typing import TypedDict

from hometown.language import Lang
from hometown.paths import DATA

LESSONS = DATA / "lessons"

WRITING = ("run", "event", "resume")
"""Commands of a lesson that make its towns; others look at them."""

_COMMANDS = re.compile(r"^```bash\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_WORLD = re.compile(r"--world (\S+)")


class LessonSheet(TypedDict):
    """A lesson's sheet: the world of its first town, the names of its towns, its title, its subject,
    its questions, and a closing thought.
    """

    id: str
    world: str
    towns: list[str]
    title: str
    about: str
    questions: list[str]
    thought: str


def lessons(lang: Lang) -> list[LessonSheet]:
    """Return all lessons in a language, by id."""
    return [
        _lesson(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted((LESSONS / lang).glob("*.md"))
    ]


def lesson_commands(name: str, lang: Lang) -> list[list[str]]:
    """Return the arguments of `hometown` that make the towns of a lesson, in order: a command, the
    name of a run, and options; none for an unknown lesson.
    """
    path = LESSONS / lang / f"{name}.md"
    if path.stem != name or not path.is_file():
        return []
    return _find_commands(path.read_text(encoding="utf-8"))


def _find_commands(text: str) -> list[list[str]]:
    block = _COMMANDS.search(text)
    lines = [shlex.split(line)[1:] for line in block[1].splitlines()] if block else []
    return [line for line in lines if line[0] in WRITING]


def _world_of(text: str) -> str:
    """Return the id of the world that the commands of a lesson name first, or ""."""
    named = _WORLD.search(text)
    return named[1] if named else ""


def _lesson(name: str, text: str) -> LessonSheet:
    """Parse a lesson: a title, a paragraph, instructions for the run, and two sections: numbered
    questions, and a closing thought.
    """
    head, questions, thought = text.split("\n## ")
    title, about = head.split("\n\n")[:2]
    numbered = [_join_lines(block.partition(". ")[2]) for block in _items(questions)]
    return {
        "id": name,
        "world": _world_of(text),
        "towns": list(dict.fromkeys(town for _, town, *_ in _find_commands(text))),
        "title": title.removeprefix("# ").strip(),
        "about": _join_lines(about),
        "questions": numbered,
        "thought": _join_lines(thought.partition("\n")[2]),
    }


def _items(section: str) -> list[str]:
    """Return the items of a numbered list; a line that begins with a blank continues the one
    before.
    """
    items: list[str] = []
    for line in section.split("\n")[1:]:
        if line[:1].isdigit():
            items.append(line)
        elif line.startswith(" ") and items:
            items[-1] += "\n" + line
    return items


def _join_lines(text: str) -> str:
    """Return a paragraph on one line and without the marks of Markdown."""
    lines = [line.strip() for line in text.strip().split("\n")]
    return " ".join(lines).replace("*", "").replace("`", "")
