"""Measure how the code reads: its size by syntax-tree nodes, its line lengths, and the English of
its docstrings and names.

    python -m tools.prose              # the table for this tree
    python -m tools.prose --draw REV   # twenty functions and twenty docstrings, chosen by the hash of a commit

The figures follow three observations. Lines a function mislead where lines are long, so size is
counted in nodes of the syntax tree. Docstrings that open with a question word describe a riddle
instead of an action. Words such as "what", "somebody" or "whoever" stand where a noun of the field
is missing.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import statistics
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from hometown.paths import ROOT

LEFT_OUT = ("tests", "benchmarks")
"""Top-level folders whose Python does not count."""

MAX_COLUMNS = 100

DRAWN = 20
"""Functions, and docstrings, of one draw."""

QUESTION_WORDS = (
    "what",
    "who",
    "whom",
    "whose",
    "whoever",
    "whatever",
    "whether",
    "which",
    "how",
    "where",
    "when",
    "why",
)

VAGUE_WORDS = re.compile(r"\b(?:some|any|every|no)(?:body|one)\b", re.IGNORECASE)

WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")

PARTICIPLES = frozenset(
    WORD.findall("""
    asked begun bought brought chosen come counted done drawn driven fallen felt filled forgotten found given gone
    grown handed heard held kept known left lived looked lost made meant met moved named noted paid raised said
    seen sent settled shown sold spared spoken stored taken told thought used written
    """)
)
"""Participles that name no action: a function called by one of them alone does not say whether it
asks, does or returns. "put" is left out, since it is a verb in the present as well (`Queue.put`).
"""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Docstring:
    """The docstring of a module, class, function or constant, and its place."""

    place: str
    text: str

    @property
    def opens_with_question(self) -> bool:
        words = WORD.findall(self.text)
        return bool(words) and words[0].lower() in QUESTION_WORDS


@dataclass(frozen=True)
class Source:
    """One Python file: its path below the root, its text and its syntax tree."""

    path: Path
    text: str
    tree: ast.Module

    @classmethod
    def read(cls, path: Path, root: Path = ROOT) -> Source:
        text = path.read_text("utf-8")
        return cls(path.relative_to(root), text, ast.parse(text))

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @property
    def functions(self) -> Iterator[Function]:
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    @property
    def public_names(self) -> Iterator[str]:
        """Yield the names of the public functions and classes at module level."""
        return (
            node.name
            for node in self.tree.body
            if isinstance(node, Definition) and not node.name.startswith("_")
        )

    @property
    def docstrings(self) -> Iterator[Docstring]:
        """Yield docstrings of modules, classes and functions, and strings behind constants and
        fields.
        """
        for node in ast.walk(self.tree):
            body = getattr(node, "body", None)
            for before, statement in pairwise([None, *body]) if isinstance(body, list) else ():
                text = _text_of(statement)
                if text and (before is None or isinstance(before, ast.Assign | ast.AnnAssign)):
                    yield Docstring(f"{self.path}:{statement.lineno}", text)


@dataclass(frozen=True)
class Body:
    """The size of a function's body without its docstring."""

    nodes: int
    lines: int

    @classmethod
    def of(cls, function: Function) -> Body | None:
        """Measure a function; None where there is only a docstring."""
        statements = function.body[1:] if _text_of(function.body[0]) else function.body
        if not statements:
            return None
        lines = (statements[-1].end_lineno or statements[-1].lineno) - statements[0].lineno + 1
        return cls(sum(map(count_nodes, statements)), lines)


class Prose:
    """The figures of a tree of Python files."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources

    @cached_property
    def bodies(self) -> list[Body]:
        """Return the size of each function that does more than carry a docstring, smallest first."""
        functions = (function for source in self.sources for function in source.functions)
        return sorted(
            (body for function in functions if (body := Body.of(function))),
            key=lambda body: body.nodes,
        )

    @cached_property
    def docstrings(self) -> list[Docstring]:
        return [docstring for source in self.sources for docstring in source.docstrings]

    @property
    def nodes(self) -> int:
        return sum(count_nodes(source.tree) for source in self.sources)

    @property
    def longest_function(self) -> int:
        """Return the number of lines of the longest function."""
        return max(
            (node.end_lineno or node.lineno) - node.lineno + 1
            for source in self.sources
            for node in source.functions
        )

    @property
    def long_lines(self) -> float:
        """Return the share of lines that are longer than `MAX_COLUMNS`."""
        lines = [line for source in self.sources for line in source.lines]
        return sum(len(line) > MAX_COLUMNS for line in lines) / len(lines)

    @property
    def question_openings(self) -> float:
        """Return the share of docstrings that open with a question word."""
        return sum(docstring.opens_with_question for docstring in self.docstrings) / len(
            self.docstrings
        )

    @property
    def what_rate(self) -> float:
        """Return the number of "what" in 1,000 words of docstrings."""
        return self.per_thousand_words(lambda word: word.lower() == "what")

    @property
    def vague_rate(self) -> float:
        """Return the number of "somebody" and similar words in 1,000 words of docstrings."""
        return self.per_thousand_words(lambda word: bool(VAGUE_WORDS.fullmatch(word)))

    def per_thousand_words(self, matches: Callable[[str], bool]) -> float:
        """Return the number of words that match in 1,000 words of docstrings."""
        words = [word for docstring in self.docstrings for word in WORD.findall(docstring.text)]
        return 1000 * sum(map(matches, words)) / len(words)

    @property
    def participles(self) -> list[str]:
        """Return the places of functions that are named by a bare participle."""
        return [
            f"{source.path}:{function.lineno} {function.name}"
            for source in self.sources
            for function in source.functions
            if function.name.strip("_") in PARTICIPLES
        ]

    @property
    def repeated_names(self) -> list[str]:
        """Return the public names that several modules of the package define."""
        return find_repeated(
            name
            for source in self.sources
            if source.path.parts[0] == "modules"
            for name in set(source.public_names)  # overloads define a name several times
        )

    @property
    def repeated_files(self) -> list[str]:
        """Return the file names that stand in several folders of the package."""
        names = (source.path.name for source in self.sources if source.path.parts[0] == "modules")
        return find_repeated(name for name in names if name != "__init__.py")


def count_nodes(tree: ast.AST) -> int:
    return sum(1 for _ in ast.walk(tree))


def _text_of(statement: ast.stmt) -> str:
    """Return the text of a statement that is nothing but a string, "" for any other."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def find_repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, sorted."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def read_sources(root: Path = ROOT) -> list[Source]:
    """Read the Python files that git tracks, without tests and benchmarks."""
    listing = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    paths = [Path(line) for line in listing.splitlines()]
    return [
        Source.read(root / path, root)
        for path in paths
        if path.parts[0] not in LEFT_OUT and (root / path).exists()
    ]


def format_table(prose: Prose) -> str:
    """Return the figures, one a line, with their limits."""
    nodes = [body.nodes for body in prose.bodies]
    density = statistics.median(body.nodes / body.lines for body in prose.bodies)
    rows = [
        ("syntax-tree nodes", f"{prose.nodes:,}", "520,000"),
        ("nodes a function, median", f"{statistics.median(nodes):.0f}", ""),
        ("nodes a function, 99th percentile", f"{nodes[len(nodes) * 99 // 100]}", "386"),
        ("nodes a line, median", f"{density:.1f}", "11.6"),
        ("lines of the longest function", f"{prose.longest_function}", "45"),
        (f"lines over {MAX_COLUMNS} columns", f"{prose.long_lines:.1%}", "4 %"),
        ("docstrings that open with a question word", f"{prose.question_openings:.1%}", "3 %"),
        (
            '"what" in 1,000 words of docstrings',
            f"{prose.what_rate:.1f}",
            "2.5",
        ),
        (
            '"somebody" and kin in 1,000 words',
            f"{prose.vague_rate:.1f}",
            "1",
        ),
        ("functions named by a participle", f"{len(prose.participles)}", "0"),
        ("public names defined more than once", f"{len(prose.repeated_names)}", "0"),
        ("file names that occur more than once", f"{len(prose.repeated_files)}", "0"),
    ]
    return "\n".join(
        f"{name:<45}{value:>10}{f'   (at most {limit})' if limit else ''}"
        for name, value, limit in rows
    )


def draw(sources: Sequence[Source], commit: str) -> tuple[list[str], list[str]]:
    """Choose `DRAWN` functions and as many docstrings by the hash of a commit.

    Returns:
        The places of the functions, as in `path:line name`, and the places of the docstrings, each in the order drawn.
    """
    functions = [
        f"{source.path}:{function.lineno} {function.name}"
        for source in sources
        for function in source.functions
    ]
    docstrings = [docstring.place for source in sources for docstring in source.docstrings]

    def rank(place: str) -> bytes:
        return hashlib.sha256(f"{commit}{place}".encode()).digest()

    return sorted(functions, key=rank)[:DRAWN], sorted(docstrings, key=rank)[:DRAWN]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--draw",
        metavar="REV",
        help="list twenty functions and twenty docstrings, chosen by the hash of this commit",
    )
    parser.add_argument(
        "--names", action="store_true", help="also list the names behind the last three figures"
    )
    options = parser.parse_args()
    sources = read_sources()
    if options.draw:
        commit = subprocess.run(
            ["git", "rev-parse", options.draw], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.strip()
        functions, docstrings = draw(sources, commit)
        print(*functions, "", *docstrings, sep="\n")
        return
    prose = Prose(sources)
    print(format_table(prose))
    if options.names:
        print(
            "", *prose.participles, "", *prose.repeated_names, "", *prose.repeated_files, sep="\n"
        )


if __name__ == "__main__":
    main()
