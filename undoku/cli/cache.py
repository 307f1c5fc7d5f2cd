"""undoku cache: the folder of the machine code of loops, its size, and how to clear or fill it."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from undoku.cli.printing import counted, print_json
from undoku.cli.progress import ProgressLine
from undoku.errors import OutputError
from undoku.machine_code.compile_notice import set_listener
from undoku.machine_code.object_files import (
    cache_folder,
    cached_files,
    carried_folder,
    remove_all,
)
from undoku.visible_text import visible

__all__ = ["run"]

_PACKAGES = ("undoku",)


def run(options: Namespace) -> int:
    """Raises OutputError if nothing can be cached."""
    folder = cache_folder()
    if folder is None:
        raise OutputError(
            "there is no folder in which machine code can be cached",
            remedy="set UNDOKU_CACHE_DIR to a folder that only you can write to",
        )
    if options.action == "clear":
        files, size = remove_all(folder)
        print(f"removed {files} files, {size:,} bytes")
        return 0
    if options.action == "fill":
        return _fill(folder, options.quiet)
    loops = [file for _, file in cached_files(folder)]
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    carried = [str(place) for name in _PACKAGES if (place := carried_folder(name))]
    if options.json:
        rows = [
            {"loop": f"{one.module}.{one.loop}", "seconds": one.seconds, "bytes": len(one.code)}
            for one in loops
        ]
        print_json({"folder": str(folder), "bytes": size, "carried": carried, "loops": rows})
        return 0
    if options.action == "list":
        for one in sorted(loops, key=lambda one: -one.seconds):
            print(f"{one.seconds:6.2f} s  {len(one.code):9,} bytes  {one.module}.{one.loop}")
        return 0
    print(visible(str(folder)))
    seconds = sum(one.seconds for one in loops)
    print(f"{len(loops)} loops that took {seconds:.0f} s to compile, {size:,} bytes in all")
    for came in carried:
        print(f"{visible(came)} came with the installation")
    return 0


def _fill(folder: Path, quiet: bool) -> int:
    from undoku.machine_code.filling import fill, tasks_for
    from undoku.machine_code.known_loops import known_loops

    known = [one for name in _PACKAGES for one in known_loops(name)]
    with ProgressLine(sys.stderr, quiet=quiet, unit="loops") as line:
        set_listener(None, counter=lambda done, total: line(done, total) if total else line.close())
        count = fill(known)
    if missing := sum(task.role != "called" for task in tasks_for(known)):
        raise OutputError(
            f"{counted(missing, 'compiled loop')} can't be kept in {str(folder)!r}",
            remedy="make room on its disk, or name another folder in UNDOKU_CACHE_DIR",
        )
    print(f"compiled {counted(count, 'loop')}" if count else "nothing is missing")
    return 0
