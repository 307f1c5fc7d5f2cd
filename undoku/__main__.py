"""`python -m undoku`: the command, for where it isn't on the path."""

from __future__ import annotations

from undoku.cli.main import command

if __name__ == "__main__":
    command()
