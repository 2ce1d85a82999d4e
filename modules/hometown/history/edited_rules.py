"""The proposals of the world editor in a run, with their evidence."""

from __future__ import annotations

from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.storage.world_edit_log import read_edits


def show_world_edits(run: RunReader) -> list[shapes.WorldEditView]:
    """Return the proposals of the world editor in the page's format, the earliest first; without
    those that change nothing.
    """
    return [
        {
            "tick": run.tick(edit.when),
            "why": edit.why,
            "patch": edit.patch,
            "changes": list(edit.changes),
            "harms": list(edit.harms),
            "pairs": [(pair.changed, pair.unchanged) for pair in edit.pairs],
            "entered": edit.entered > 0,
        }
        for edit in read_edits(run.run.file.parent)
        if edit.patch
    ]
