"""Lets a town live. `python start.py --help` lists the options."""

import sys

from modules.cli.start import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
