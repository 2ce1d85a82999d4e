"""One version and one list of packages, wherever they are named."""

from __future__ import annotations

import re

import pytest
from packaging.requirements import Requirement

import hometown
from hometown.paths import ROOT
from tests.support.project import read_project, requirements_of

WHOLE = ("huggingface", "e5", "study", "tables")
"""The extras that requirements.txt brings."""

FIXED = {
    "ollama",
    "llama-index",
    "llama-index-embeddings-huggingface",
    "sentence-transformers",
    "flask",
    "orjson",
    "tqdm",
}
"""The packages of which the town is made, whatever else changes."""


def requirements(name: str) -> dict[str, Requirement]:
    """Return the packages that a requirements file lists, by name."""
    lines = (
        line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines()
    )
    return {one.name.lower(): one for one in map(Requirement, filter(None, lines))}


def test_the_citation_names_the_version() -> None:
    assert (
        re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)[1]
        == hometown.__version__
    )  # type: ignore[index]


def test_the_changelog_begins_with_the_version_or_what_follows_it() -> None:
    headings = re.findall(
        r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert hometown.__version__ in headings[:2]
    assert headings[0] in ("Unreleased", hometown.__version__)


def test_the_requirements_are_the_package_with_its_models() -> None:
    listed = requirements("requirements.txt")
    assert set(listed.values()) == set(requirements_of(*WHOLE))
    assert set(listed) >= FIXED


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_readme_names_the_extras_of_the_whole_town(name: str) -> None:
    paragraph = next(
        part
        for part in (ROOT / name).read_text("utf-8").split("\n\n")
        if "pip install -r requirements.txt" in part and "1.8 GB" in part
    )
    assert set(re.findall(r"`(\w+)`", paragraph)) == set(WHOLE)


def test_there_is_one_list_of_requirements_and_one_lock() -> None:
    assert {file.name for file in ROOT.glob("requirements*")} == {
        "requirements.txt",
        "requirements.lock",
    }


def test_the_lock_holds_what_each_extra_asks_for() -> None:
    locked = requirements("requirements.lock")
    wanted = requirements_of(*read_project()["optional-dependencies"])
    assert len(wanted) > len(FIXED)
    for one in wanted:
        (pin,) = locked[one.name.lower()].specifier
        assert pin.operator == "==", one
        assert one.specifier.contains(pin.version), one


def test_the_lock_names_no_host() -> None:
    assert "://" not in (ROOT / "requirements.lock").read_text("utf-8")
