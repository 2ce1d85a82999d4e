"""The API's blocks of a run (`modules/hometown/history/blocks.py`), by range of steps or for the
whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, request

from hometown.errors import BadInput, BadRun
from hometown.export.diary_report import DiaryReport
from hometown.export.newspaper import Papers
from hometown.history.blocks import RANGES, RESIDENT_RANGES, Blocks
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.web.answers import API, Wrong, respond_cached, respond_json
from hometown.web.library import Library

MAX_STEPS = 120
"""Maximum number of steps in one response; for kinds with wider blocks, the width of a block."""

IMMUTABLE = frozenset(
    {"frames", "conversations", "prompts", "memories", "trail", "beliefs", "causes"}
)
"""Kinds of blocks that depend only on committed steps: their ETag is the digest of the step after
their last one. The others depend on the world, too.
"""

RUN_BLOCKS = (
    "marks",
    "threads",
    "highlights",
    "scenes",
    "occasions",
    "foreshadowing",
    "arenas",
    "spread",
    "residents/<who>/marks",
    "residents/<who>/diary/<day>",
    "spread/story/<story>",
    "spread/memory/<who>/<number>",
    "gazette/<lang>/<day>",
)
"""Addresses of blocks of the whole run."""

Read = Callable[[Blocks, int, int], Any]


def block_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app."""

    def ranged(name: str, kind: str, read: Read) -> Response:
        with library.open(name) as run, _translate_errors():
            return _respond_range(run, Blocks(run, library.names(run)), kind, read)

    @app.get(f"{API}/runs/<name>/<any({', '.join(RANGES)}):kind>")
    def run_range(name: str, kind: str) -> Response:
        return ranged(name, kind, lambda blocks, first, last: blocks.range(kind, first, last))

    @app.get(f"{API}/runs/<name>/residents/<who>", defaults={"kind": "resident"})
    @app.get(f"{API}/runs/<name>/residents/<who>/<any({', '.join(RESIDENT_RANGES[1:])}):kind>")
    def resident_range(name: str, who: str, kind: str) -> Response:
        return ranged(
            name, kind, lambda blocks, first, last: blocks.of_resident(kind, who, first, last)
        )

    def run_block(name: str, **parts: str) -> Response:
        rule = str(request.url_rule).removeprefix(f"{API}/runs/<name>/")
        address = "/".join(
            parts[part[1:-1]] if part.startswith("<") else part for part in rule.split("/")
        )
        with library.open(name) as run, _translate_errors():
            return respond_json(Blocks(run, library.names(run)).of_run(address))

    for rule in RUN_BLOCKS:
        app.add_url_rule(f"{API}/runs/<name>/{rule}", rule, run_block)

    @app.get(f"{API}/runs/<name>/insight/<plot>")
    def plot(name: str, plot: str) -> Response:
        with library.open(name) as run, _translate_errors():
            blocks = Blocks(run, library.names(run))
            return respond_cached(
                f"{run.run.last.digest[:32]}-{plot}", lambda: blocks.of_run(f"insight/{plot}")
            )

    @app.get(f"{API}/runs/<name>/<any('report.md', 'gazette.md'):text>")
    def text(name: str, text: str) -> Response:
        """Send the diary of the town or its newspaper, as `compress.py` writes them, while it is
        written.
        """
        lines, file = (_diary, f"{name}.md") if text == "report.md" else (_papers, f"{name}-{text}")
        with library.open(name):
            headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(file)}"}
            return Response(
                _stream_lines(library, name, lines), mimetype="text/markdown", headers=headers
            )


def _respond_range(run: RunReader, blocks: Blocks, kind: str, read: Read) -> Response:
    """Return the block for steps `from` to `to`, truncated at the end of the run or at the
    limit.
    """
    last = max(1, run.last_step())
    try:
        begin = int(request.args.get("from", "1"))
        end = int(request.args.get("to", begin))
    except ValueError:
        raise Wrong(
            400, "from and to should be steps, 1 ≤ from ≤ to and from ≤ {last}.", last=last
        ) from None
    if not 1 <= begin <= end or begin > last:
        raise Wrong(400, "from and to should be steps, 1 ≤ from ≤ to and from ≤ {last}.", last=last)
    end = min(end, last, begin + max(MAX_STEPS, blocks.width(kind)) - 1)
    if kind not in IMMUTABLE:
        return respond_json(read(blocks, begin, end))
    seen = min(end + 1, run.last_step())  # conversations are summed up in the next step
    steps = run.steps(seen, seen)
    return respond_cached(
        f"{steps[0].digest[:32] if steps else ''}-{begin}-{end}", lambda: read(blocks, begin, end)
    )


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate BadInput into Wrong (404): the run has no such thing."""
    try:
        yield
    except BadRun:
        raise
    except BadInput as error:
        raise Wrong(404, "That is not possible: {reason}.", reason=error) from None


def _diary(run: RunReader, names: Names) -> Iterator[str]:
    return DiaryReport(run, names, run.last_step()).lines()


def _papers(run: RunReader, names: Names) -> Iterator[str]:
    return Papers(run, names).lines()


def _stream_lines(
    library: Library, name: str, lines: Callable[[RunReader, Names], Iterator[str]]
) -> Iterator[str]:
    with library.open(name) as run:
        for line in lines(run, library.names(run)):
            yield line + "\n"
