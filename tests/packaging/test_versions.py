"""One version and one list of packages, wherever they are named."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement

import hometown
from hometown.paths import ROOT


def requirements(name: str) -> dict[str, Requirement]:
    """The packages of a requirements file, without those of the files that it includes."""
    lines = (line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines())
    return {one.name.lower(): one for one in map(Requirement, (line for line in lines if line and not line.startswith("-")))}


def test_the_citation_names_the_version() -> None:
    assert re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)[1] == hometown.__version__  # type: ignore[index]


def test_the_changelog_begins_with_the_version_or_what_follows_it() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert hometown.__version__ in headings[:2]
    assert headings[0] in ("Unreleased", hometown.__version__)


@pytest.mark.parametrize(
    "name", ["requirements-core.txt", "requirements-tables.txt", "requirements-study.txt", "requirements-llama.txt", "requirements-e5.txt", "requirements.txt"]
)
def test_the_lock_holds_what_the_lists_ask_for(name: str) -> None:
    locked = requirements("requirements.lock")
    for package, wanted in requirements(name).items():
        (pin,) = locked[package].specifier
        assert pin.operator == "==", package
        assert wanted.specifier.contains(pin.version), package


def test_the_lock_names_no_host() -> None:
    assert "://" not in (ROOT / "requirements.lock").read_text("utf-8")
