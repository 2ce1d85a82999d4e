"""Writes `docs/configuration.md` from the descriptions in `modules.settings`: `python -m tools.write_docs`."""

from __future__ import annotations

import json
from itertools import groupby

from modules.config import keys, wanted
from modules.paths import ROOT
from modules.settings import PRESETS

HEAD = """# Settings

This page is written from `modules/settings.py` by `make docs`; a test fails when the two differ.

Settings are JSON. A file holds only what it changes; what counts, weakest first:

1. the defaults below,
2. the preset's constants (the last `preset` named by any of the layers that follow),
3. the world's own settings (`settings` in `data/worlds/<id>/world.json`),
4. `data/config.json`,
5. the file given with `--config FILE`.

A misspelt key or an unfit value is refused, with the likely key or with what would be right. All of them are
written into the run, and a resumed run goes on with the ones it began with; only `machine`, `llm.num_ctx`,
`llm.keep_alive` and `llm.give_up_after` are read anew, since they belong to the computer and to the model's server.

```json
{"percept": {"vision_r": 6}, "chat_iter": 3}
```
"""


def configuration() -> str:
    """The whole page, as Markdown."""
    parts = [HEAD]
    for section, fields in groupby(keys(), key=lambda one: one[0].rpartition(".")[0]):
        parts.append(f"## {section or 'General'}\n\n| setting | default | may be | meaning |\n|---|---|---|---|\n")
        parts[-1] += "".join(
            f"| `{name}` | `{json.dumps(field.default)}` | {wanted(field)} | {field.description} |\n".replace("`null`", "") for name, field in fields
        )
    return "\n".join([*parts, presets()])


def presets() -> str:
    """What each preset changes against the defaults, a table."""
    rows = [f"| `{name}` | {_changes(changed) or 'nothing: these are the defaults'} |\n" for name, changed in PRESETS.items()]
    return "## Presets\n\n| preset | changes |\n|---|---|\n" + "".join(rows)


def _changes(changed: dict[str, dict[str, object]]) -> str:
    return ", ".join(f"`{section}.{key}` = `{json.dumps(value)}`" for section, values in changed.items() for key, value in values.items())


if __name__ == "__main__":
    (ROOT / "docs" / "configuration.md").write_text(configuration(), "utf-8")
