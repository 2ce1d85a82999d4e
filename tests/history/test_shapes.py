"""The types of the blocks: the page is checked against what they are in Python."""

from __future__ import annotations

from tools.write_types import FILE, declarations


def test_the_pages_types_are_up_to_date() -> None:
    assert FILE.read_text("utf-8") == declarations(), "run `make docs`"
