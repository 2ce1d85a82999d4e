"""Skip tests that need a package or a program which is not installed. The reason names it, and the
way to get it.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest


def require_packages(command: str, *names: str) -> None:
    """Skip this test, or this module, unless all packages can be imported. `command` installs them."""
    if missing := [name for name in names if find_spec(name) is None]:
        pytest.skip(f"needs {' and '.join(missing)}: {command}", allow_module_level=True)


def require_node() -> str:
    """Return the path of Node.js, or skip this test."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js: https://nodejs.org, or the system's package nodejs")
    return node


def require_chromium() -> str:
    """Return the path of Chromium or of Google Chrome, or skip this test."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("needs Chromium or Google Chrome: the system's package chromium")
