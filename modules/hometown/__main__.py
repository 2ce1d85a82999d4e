"""`python -m hometown`."""

from hometown.cli.main import program

if __name__ == "__main__":
    program()
