"""Public names are the field's words: no name in `modules/hometown` has a word in it that
CONTRIBUTING.md replaces by another.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown.paths import ROOT

PACKAGE = ROOT / "modules" / "hometown"

ANYWHERE = frozenset(
    [
        "asks",
        "noted",
        "understood",
        "told",
        "said",
        "heard",
        "pulse",
        "patience",
        "patient",
        "silent",
        "usable",
        "legible",
        "lasting",
        "hurry",
        "enough",
        "arrivals",
        "rarely",
        "sitting",
        "chronicle",
        "haunt",
        "haunts",
        "newcomer",
        "brought",
        "carried",
        "ears",
        "strip",
        "sides",
        "hands",
        "talk",
        "talks",
    ]
)
"""Words that no public name has in it."""

CALLABLES = frozenset({"whole", "found", "associate"})
"""Words that no function, method or class has in its name."""

VARIABLES = frozenset({"one"})
"""Names that no attribute, parameter or module-level variable is."""

KEPT = {
    "talk": "a field of state rows, which is part of digests",
    "talks": "a field of state rows, which is part of digests",
    "Told": "the class of an effect, whose name is in the log of every run",
    "answer_talk_summary": "named after its kind of prompt, which is in the log of every run",
    "answer_talk_outcome": "named after its kind of prompt, which is in the log of every run",
    "TalkBegan": "the class of an effect, whose name is in the log of every run",
    "TalkEnded": "the class of an effect, whose name is in the log of every run",
}
"""Whole names that stay, with the reason."""

ROOMS = sorted(
    {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in PACKAGE.rglob("*.py")}
)


def words_of(name: str) -> set[str]:
    """
    >>> sorted(words_of("RunLock")), sorted(words_of("talk_of_a_day"))
    (['lock', 'run'], ['a', 'day', 'of', 'talk'])
    """
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def names_in(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Public names that a module defines: line, kind ("callable" or "variable"), name."""
    yield from _defined(tree.body)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _private(node.name):
            for parameter in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                yield parameter.lineno, "variable", parameter.arg
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            yield node.lineno, "variable", node.attr


def _defined(body: list[ast.stmt]) -> Iterator[tuple[int, str, str]]:
    """What the body of a module or of a public class defines."""
    for node in body:
        match node:
            case ast.ClassDef(name=name):
                yield node.lineno, "callable", name
                if not _private(name):
                    yield from _defined(node.body)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, "callable", name
            case ast.Assign(targets=targets):
                yield from (
                    (node.lineno, "variable", part.id)
                    for target in targets
                    for part in ast.walk(target)
                    if isinstance(part, ast.Name)
                )
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield node.lineno, "variable", name


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def faults(name: str, kind: str) -> set[str]:
    """The words for which a public name is refused."""
    if name.startswith("_") or name in KEPT:
        return set()
    words = words_of(name)
    return (words & ANYWHERE) | (words & CALLABLES if kind == "callable" else {name} & VARIABLES)


@pytest.mark.parametrize("room", ROOMS)
def test_public_names_are_the_fields_words(room: str) -> None:
    files = (
        [PACKAGE / f"{room}.py"]
        if (PACKAGE / f"{room}.py").exists()
        else sorted((PACKAGE / room).rglob("*.py"))
    )
    refused = [
        f"{file.relative_to(ROOT)}:{line}: {name} ({', '.join(sorted(words))})"
        for file in files
        for line, kind, name in names_in(ast.parse(file.read_text("utf-8")))
        if (words := faults(name, kind))
    ]
    assert not refused, "\n" + "\n".join(refused)


def test_a_bad_name_is_seen() -> None:
    """In every place where a name can stand, and nowhere else."""
    source = (
        "HURRY = 1\nclass Pulse:\n    told: str\n    def found(self, one, *, sides=0):\n"
        "        self.hands = heard = one\nclass _Ears:\n    asks = 1\ntalk = 1\n"
    )
    seen = {name for _, kind, name in names_in(ast.parse(source)) if faults(name, kind)}
    assert seen == {"HURRY", "Pulse", "told", "found", "one", "sides", "hands"}


@pytest.mark.parametrize("document", [Path("CONTRIBUTING.md")], ids=str)
def test_each_replaced_word_is_in_the_glossary(document: Path) -> None:
    text = (ROOT / document).read_text("utf-8")
    assert {
        word for word in ANYWHERE | CALLABLES | VARIABLES if not re.search(rf"`{word}`", text)
    } == set()
