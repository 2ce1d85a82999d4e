"""Commands of Hometown that messages name, written for the program that the user has called."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hometown.paths import ROOT


def program_words(program: str) -> list[str]:
    """Return the program `start.py` or `hometown` as the user has called it."""
    if program == "start.py":
        return [_python(), _path(ROOT / "start.py")]
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
    """Return the Python that is running, if it lies in the project's folder, and otherwise "python"."""
    executable = Path(sys.executable)
    return _path(executable) if executable.is_relative_to(ROOT) else "python"


def _path(file: Path) -> str:
    """Return a path in the project's folder as it is typed where the user is: relative in the folder
    itself.
    """
    return str(file.relative_to(ROOT) if Path.cwd() == ROOT else file)
