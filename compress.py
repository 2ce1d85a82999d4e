"""Writes a run as movement.json and simulation.md. `python compress.py --help` lists the options."""

import sys

from modules.cli.compress import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
