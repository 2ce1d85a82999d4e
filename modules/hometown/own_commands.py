"""Commands of Hometown that messages name, written for the program that the user has called."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hometown.paths import ROOT


def program_words(program: str) -> list[str]:
    """Return the program `start.py` or `hometown` as the user has called it."""
    if program == "start.py":
        return [_python(), "start.py"]
    is_module = Path(sys.argv[0]).parts[-2:] == ("hometown", "__main__.py")
    return [_python(), "-m", "hometown"] if is_module else ["hometown"]


def doctor_command(llm: str) -> str:
    """Return the command that examines a model."""
    if _is_script():
        return shlex.join([*program_words("start.py"), "--doctor", "--llm", llm])
    return shlex.join([*program_words("hometown"), "doctor", "--llm", llm])


def list_command() -> str:
    """Return the command that lists the recommended models."""
    if _is_script():
        return shlex.join([*program_words("start.py"), "--list-models"])
    return shlex.join([*program_words("hometown"), "model", "list"])


def get_command(name: str = "NAME") -> str:
    """Return the command that fetches a recommended model."""
    if _is_script():
        return shlex.join([*program_words("start.py"), "--get-model", name])
    return shlex.join([*program_words("hometown"), "model", "get", name])


def _is_script() -> bool:
    return Path(sys.argv[0]).name == "start.py"


def _python() -> str:
    """Return the Python that is running, relative to the project's folder if it lies there."""
    executable = Path(sys.executable)
    return str(executable.relative_to(ROOT)) if executable.is_relative_to(ROOT) else "python"
