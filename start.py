"""Runs a town. `python start.py --help` lists the options."""

import sys
from pathlib import Path

sys.path.insert(
    0, str(Path(__file__).resolve().parent / "modules")
)  # runs from a checkout, installed or not

from hometown.cli.main import program

if __name__ == "__main__":
    program("hometown.cli.start")
