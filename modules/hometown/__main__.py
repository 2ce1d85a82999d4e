"""`python -m hometown`."""

import sys

from hometown.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
