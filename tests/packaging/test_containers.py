"""The containers beside Ollama say what Hometown understands; no container engine is needed to read
the files.
"""

from __future__ import annotations

from typing import Any

import yaml

from hometown.cli.page_server import PASSWORD
from hometown.cli.system_commands import replay
from hometown.paths import ROOT

FOLDER = ROOT / "data" / "containers"


def read_services(name: str) -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text("utf-8"))["services"]
    return services


def test_the_page_and_the_models_are_reached_from_this_machine_alone() -> None:
    services = read_services("compose.yaml")
    assert set(services) == {"ollama", "hometown"}
    assert "ports" not in services["ollama"]
    assert services["hometown"]["ports"] == ["127.0.0.1:5000:5000"]


def test_the_command_and_the_environment_are_those_of_the_program() -> None:
    hometown = read_services("compose.yaml")["hometown"]
    words = hometown["command"].split()
    assert words[:2] == ["hometown", "replay"]
    assert {word for word in words if word.startswith("--")} <= replay.flags
    assert set(hometown["environment"]) == {"HOMETOWN_HOME", PASSWORD, "OLLAMA_HOST"}
    assert hometown["volumes"] == [f"towns:{hometown['environment']['HOMETOWN_HOME']}"]


def test_the_image_is_built_of_the_project_without_what_it_does_not_need() -> None:
    build = read_services("compose.yaml")["hometown"]["build"]
    assert (FOLDER / build["context"]).resolve() == ROOT
    left_out = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {".git", ".venv", "results"} <= set(left_out)
    assert not {"modules", "data", "frontend", "README.md", "pyproject.toml"} & set(left_out)


def test_a_card_is_given_to_ollama() -> None:
    (name,) = services = read_services("compose.cuda.yaml")
    assert name in read_services("compose.yaml")
    assert "gpu" in str(services[name]["deploy"])
