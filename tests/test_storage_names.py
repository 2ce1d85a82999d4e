"""What runs may be called."""

from __future__ import annotations

import pytest

from modules.errors import BadRun
from modules.storage.names import check_name


@pytest.mark.parametrize("name", ["a", "demo", "故里", "día-1", "run_2.b", "हिन्दी", "1", "x" * 64, "console"])
def test_names_that_any_system_can_use(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", ".hidden", "a/b", "../a", "a\\b", "C:", "a b", "-a", "_a", "a.", "CON", "nul.txt", "com1", "x" * 65, "a\0", "a\n", "a?", "\ud800", "😀"],
)
def test_names_that_some_system_cannot(name: str) -> None:
    with pytest.raises(BadRun, match="can't name a run") as refused:
        check_name(name)
    assert "\n" not in str(refused.value)
