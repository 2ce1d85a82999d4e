"""The API's views of a run (`modules/hometown/history/blocks.py`), by range of steps or for the
whole run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import quote

from flask import Flask, Response, request

from hometown.errors import BadInput, BadRun
from hometown.export.diary_report import DiaryReport
from hometown.export.newspaper import Papers
from hometown.history.blocks import VIEWS, Blocks, View, widths
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.web.answers import API, Wrong, respond_cached, respond_json
from hometown.web.library import Library

MAX_STEPS = 120
"""Maximum number of steps in one response; for kinds with wider blocks, the width of a block."""


def block_routes(app: Flask, library: Library) -> None:
    """Add a route for each view, and those of the texts, to the app."""
    for view in VIEWS:
        _add_view(app, library, view)

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


def _add_view(app: Flask, library: Library, view: View) -> None:
    """Add the route of a view: a block of steps for a view with a kind, or else a single value,
    which the browser keeps until the next step if it is slow to compute.
    """

    def block(name: str, **parts: str) -> Response:
        values = [parts[part] for part in view.parts]
        with library.open(name) as run, _translate_errors():
            blocks = Blocks(run, library.names(run))
            if view.kind:
                return _respond_range(blocks, view, values)
            if view.is_slow:
                tag = "-".join([run.run.last.digest[:32], *values])
                return respond_cached(tag, lambda: blocks.read(view, values))
            return respond_json(blocks.read(view, values))

    app.add_url_rule(f"{API}/runs/<name>/{view.address}", view.address, block)


def _respond_range(blocks: Blocks, view: View, values: Sequence[str]) -> Response:
    """Return the block for steps `from` to `to`, by default step 1 alone, truncated at the end of
    the run or at the limit. Raises Wrong (400) for an invalid range.
    """
    run = blocks.run
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
    end = min(end, last, begin + max(MAX_STEPS, widths(run)[view.kind]) - 1)
    if not view.is_immutable:
        return respond_json(blocks.read(view, values, begin, end))
    seen = min(end + 1, run.last_step())  # conversations are summed up in the next step
    steps = run.steps(seen, seen)
    return respond_cached(
        f"{steps[0].digest[:32] if steps else ''}-{begin}-{end}",
        lambda: blocks.read(view, values, begin, end),
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
    """Yield the lines of the town's diary up to the last step."""
    return DiaryReport(run, names, run.last_step()).lines()


def _papers(run: RunReader, names: Names) -> Iterator[str]:
    """Yield the lines of the town's newspaper."""
    return Papers(run, names).lines()


def _stream_lines(
    library: Library, name: str, lines: Callable[[RunReader, Names], Iterator[str]]
) -> Iterator[str]:
    """Yield the lines of a text on a run, which stays open meanwhile, each with its end."""
    with library.open(name) as run:
        for line in lines(run, library.names(run)):
            yield line + "\n"
