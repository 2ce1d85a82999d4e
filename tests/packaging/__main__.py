"""Installs the wheel with all that it needs into fresh environments, and uses it there: `python -m
tests.packaging [--lowest] [PYTHON …]`.

Needs a package index and the package `uv`. `make minimum` runs it with the lowest versions that we
allow, `make pythons` with every Python that we support and find.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.support.installation import build_wheel, install_whole, smoke


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="*", default=[sys.executable], metavar="PYTHON")
    parser.add_argument("--lowest", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder) / "wheel")
        for number, python in enumerate(options.pythons):
            began = time.monotonic()
            installation = install_whole(
                wheel, Path(folder) / str(number), python, lowest=options.lowest
            )
            smoke(installation)
            print(
                f"{installation.call('python', '-V').strip()}: installed and works, {time.monotonic() - began:.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
