"""Plays simulations in a browser: `python replay.py --help`."""

import sys

from modules.cli.replay import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
