"""`hometown compare`: two runs side by side."""

from __future__ import annotations

import orjson

from hometown.cli.options import Options
from hometown.cli.text import Text
from hometown.storage.run import Run
from hometown.study.comparison import as_json, as_markdown, compare_runs


def compare(options: Options, text: Text) -> int:
    """Prints where two runs part and their figures, as Markdown or as JSON."""
    with (
        Run.open(options.results, options.name or "") as first,
        Run.open(options.results, options.target) as second,
    ):
        comparison = compare_runs(first, second, options.worlds)
    print(
        orjson.dumps(as_json(comparison), option=orjson.OPT_INDENT_2).decode()
        if options.json
        else as_markdown(comparison, text.lang)
    )
    return 0
