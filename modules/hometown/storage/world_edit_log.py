"""The proposals of the world editor, in a file beside the run's database, one JSON object a line."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hometown.errors import BadRun
from hometown.frozen import frozen
from hometown.storage.codec import UNDECODABLE, decode, encode
from hometown.storage.inbox import append

FILE = "world_edits.jsonl"


@frozen
class EditPair:
    """A pair of trials from one seed: the lowest level of any vital need on a day, 0 to 1000 points,
    as the mean of all days, with the change and without.
    """

    seed: int
    changed: int
    unchanged: int


@frozen
class WorldEdit:
    """A change of a town's rules that the world editor has drafted, with its evidence.

    Attributes:
        when: The time at which it was drafted, after the step `step`.
        why: The editor's reason.
        patch: The change as the patch of a law; "" for no change.
        changes: What it changes, a line each.
        harms: Its faults or the harms of its trials, a line each.
        pairs: The trials.
        entered: The number of the law that was entered; 0 if it was left to the user.
    """

    when: datetime
    step: int
    why: str
    patch: str
    changes: tuple[str, ...] = ()
    harms: tuple[str, ...] = ()
    pairs: tuple[EditPair, ...] = ()
    entered: int = 0


def add_edit(folder: Path, edit: WorldEdit) -> None:
    """Append a proposal to those of the run in `folder`."""
    append(folder / FILE, encode(edit) + b"\n")


def read_edits(folder: Path) -> list[WorldEdit]:
    """Return the proposals of the run in `folder`, the oldest first; none without a file. A last
    line without its end is ignored.

    Raises:
        BadRun: A line is no proposal.
    """
    file = folder / FILE
    if not file.exists():
        return []
    complete, _, _ = file.read_bytes().rpartition(b"\n")
    try:
        return [decode(WorldEdit, line) for line in complete.split(b"\n") if line]
    except UNDECODABLE:
        raise BadRun("{file} is damaged: remove it, or restore it from a copy", file=file) from None
