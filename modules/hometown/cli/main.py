"""The entry points of `hometown` and of the three scripts.

Nothing but the standard library is imported at the top, so that a missing package is reported in
one line.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from hometown.cli.signals import INTERRUPTED, stop_process, stoppable
from hometown.cli.user_language import user_language
from hometown.garbage import AT_THE_START

BAD_ENVIRONMENT = 2
"""Exit code for an old Python or a missing package, as for bad input."""

OLD_PYTHON = {
    "en": "Hometown needs Python 3.11 or newer; this is Python {version}",
    "zh": "故里需要 Python 3.11 或更新的版本；现在的是 Python {version}",
}
NO_PACKAGE = {
    "en": "the Python package {package!r} is missing: activate the environment (source .venv/bin/activate; on Windows .venv\\Scripts\\activate),"
    " or install what is missing with pip install -e .",
    "zh": "缺少 Python 包 {package!r}：请先激活环境（source .venv/bin/activate；Windows 上是 .venv\\Scripts\\activate），或者用 pip install -e . 安装",
}

NO_PLUGINS = ("PYDANTIC_DISABLE_PLUGINS", "__all__")
"""Keeps Pydantic from looking for plugins in all installed packages, which takes a tenth of the
time of a short command.
"""


def program(module: str = "hometown.cli.commands") -> NoReturn:
    """Run the `main` of a module as this process, and end it with the exit code."""
    gc.set_threshold(AT_THE_START)
    os.environ.setdefault(*NO_PLUGINS)
    stop = stop_process()
    try:
        code = launch(module, sys.argv[1:])
    except KeyboardInterrupt:  # while packages were imported
        code = INTERRUPTED
    stop.disregard()
    sys.exit(code)


def run_hometown(argv: Sequence[str] | None = None) -> int:
    """Run `hometown` with these arguments, by default those of the process, and return the exit
    code.
    """
    return launch("hometown.cli.commands", sys.argv[1:] if argv is None else argv)


def launch(module: str, argv: Sequence[str]) -> int:
    """Run the `main` of a module and return its exit code; a Python that is too old or lacks a
    package is reported in one line.
    """
    lang = user_language(argv)
    if sys.version_info < (3, 11):  # noqa: UP036 (this file is read by older ones, too)
        print(OLD_PYTHON[lang].format(version=sys.version.split()[0]), file=sys.stderr)
        return BAD_ENVIRONMENT
    try:
        with stoppable() as stop, stop.defer():
            command = import_module(module).main
        code: int = command(list(argv))
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package in ("", "hometown"):
            raise
        print(NO_PACKAGE[lang].format(package=package), file=sys.stderr)
        return BAD_ENVIRONMENT
    return code
