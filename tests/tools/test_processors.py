"""What another processor lives and writes is the same, to the last bit."""

from __future__ import annotations

from pathlib import Path

from tools.processors import plainest, town_differences


def test_a_society_with_feelings_is_lived_and_exported_the_same_on_the_plainest_processor(
    tmp_path: Path,
) -> None:
    """`python -m tools.processors` compares a day of the Ville and more processors."""
    assert (
        list(
            town_differences(
                tmp_path,
                [plainest()],
                "--world",
                "farmstead",
                "--lang",
                "en",
                "--residents",
                "3",
                "--until",
                "07:30",
            )
        )
        == []
    )
