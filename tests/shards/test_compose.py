"""The file with three containers says what Hometown and Ray understand; no container engine is
needed to read it.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from hometown.cli.run_commands import run
from hometown.paths import ROOT
from tests.support.project import read_project

FILE = ROOT / "data" / "machines" / "compose.yaml"


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    assert found["networks"]["ray"]["internal"], "Ray is for the containers alone"
    return found["services"]


def test_a_head_two_workers_and_a_town_on_one_network() -> None:
    by_name = services()
    assert set(by_name) == {"head", "worker", "town"}
    assert by_name["worker"]["deploy"]["replicas"] == 2
    for service in by_name.values():
        assert service["networks"] == ["ray"]
        assert service["environment"]["RAY_USAGE_STATS_ENABLED"] == "0"
        assert not service.get("ports")


def test_the_town_is_lived_with_options_that_there_are() -> None:
    words = services()["town"]["command"].split()
    assert words[:2] == ["hometown", "run"]
    options = {word for word in words if word.startswith("--")}
    assert {"--shards", "--ray"} <= options <= run.flags
    assert (
        f"--port {words[words.index('--ray') + 1].partition(':')[2]}"
        in services()["head"]["command"]
    )


def test_the_image_is_built_of_what_the_project_has() -> None:
    build = services()["head"]["build"]
    assert (FILE.parent / build["context"]).resolve() == ROOT
    installed = re.search(
        r'RUN pip install --no-cache-dir "\.\[(\w+)]"', build["dockerfile_inline"]
    )
    assert installed
    assert installed[1] in read_project()["optional-dependencies"]
