"""undoku clean: removes the temporary files of runs that were killed."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from tempfile import gettempdir

from undoku.cli.printing import print_json
from undoku.errors import OutputError, ReadError
from undoku.file_reading import read_errors
from undoku.temporary_files import Leftover, Owner, leftovers, remove_leftover
from undoku.visible_text import visible


def run(options: Namespace) -> int:
    """Exit code 3 if a file that a killed run left can't be removed."""
    found = [one for folder in _folders(options) for one in leftovers(folder)]
    dead = [one for one in found if one.owner is Owner.DEAD]
    removed = dead if options.dry_run else [one for one in dead if remove_leftover(one)]
    kept = [one for one in found if one not in removed]
    if options.json:
        print_json([_row(one, removed=one in removed and not options.dry_run) for one in found])
    else:
        for one in removed:
            print(f"{'would remove' if options.dry_run else 'removed'}  {_told(one)}")
        for one in kept:
            if one.owner is not Owner.DEAD:
                print(f"left  {_told(one)}: it belongs to {one.owner}", file=sys.stderr)
        if not found:
            print("nothing to remove")
    refused = [one for one in kept if one.owner is Owner.DEAD]
    if refused:
        raise OutputError(
            f"{str(refused[0].path)!r} can't be removed", remedy="check who may write to its folder"
        )
    return 0


def _folders(options: Namespace) -> list[Path]:
    folders = [Path(name) for name in options.folders]
    for folder in folders:
        with read_errors(str(folder)):
            if not folder.is_dir():
                raise ReadError(f"there is no folder {str(folder)!r}")
    return folders or list(dict.fromkeys((Path(), Path(gettempdir()))))


def _told(leftover: Leftover) -> str:
    return f"{visible(str(leftover.path))}  {leftover.bytes:,} bytes"


def _row(leftover: Leftover, *, removed: bool) -> dict[str, object]:
    return {
        "path": str(leftover.path),
        "bytes": leftover.bytes,
        "owner": leftover.owner.name.lower(),
        "removed": removed,
    }
