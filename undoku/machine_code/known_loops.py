"""The loops of a package and their signatures: a table beside its sources.

The table lists the loops in a wheel, and the loops that can be compiled at once when one is
missing. It is made by running all features of the program (`make loops`): with UNDOKU_RECORD_LOOPS
each process that compiles appends a line for each loop to that file. A missing or outdated entry
only costs time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from undoku.machine_code.signatures import Signature, frozen

__all__ = ["FILE", "KnownLoop", "known_loops", "read_record", "record", "recording", "written"]

FILE = "loop_signatures.json"

_RECORD = "UNDOKU_RECORD_LOOPS"


_ROLES = ["", "called", "chosen", "entered"]


class KnownLoop(NamedTuple):
    """A loop for one signature. Its `role` is "entered" if Python calls it, "chosen" if it is
    called through a pointer, for which it needs its own file, and "called" if only other loops call
    it; `seconds` is the approximate time to compile it without its callees."""

    module: str
    loop: str
    signature: Signature
    role: str
    seconds: float


@cache
def known_loops(package: str) -> tuple[KnownLoop, ...]:
    """The table of a package; empty if it has none."""
    path = Path(__file__).absolute().parents[2] / package / FILE
    try:
        fields = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    kinds: list[Any] = []
    for kind in fields["kinds"]:
        kinds.append(_resolved(kind, kinds))
    return tuple(
        KnownLoop(module, loop, tuple(kinds[kind] for kind in signature), role, seconds)
        for module, loops in fields["loops"].items()
        for loop, signature, role, seconds in loops
    )


def _resolved(kind: Any, kinds: list[Any]) -> Any:
    """A kind with its members, which are given by number, resolved."""
    if isinstance(kind, list) and kind[0] in ("tuple", "named", "function"):
        return (*kind[:-1], tuple(kinds[member] for member in kind[-1]))
    return frozen(kind)


def written(loops: Iterable[KnownLoop]) -> str:
    """The table as text: each type once, loops by their modules."""
    numbers: dict[Any, int] = {}
    kinds: list[str] = []

    def number(kind: Any) -> int:
        if kind not in numbers:
            shown = kind
            if isinstance(kind, tuple) and kind[0] in ("tuple", "named", "function"):
                shown = [*kind[:-1], list(map(number, kind[-1]))]
            numbers[kind] = len(numbers)
            kinds.append(json.dumps(shown))
        return numbers[kind]

    modules: dict[str, list[str]] = {}
    for known in sorted(set(loops), key=repr):
        fields = [known.loop, list(map(number, known.signature)), known.role, known.seconds]
        modules.setdefault(known.module, []).append(json.dumps(fields))
    parts = [
        f"{json.dumps(module)}: [\n    " + ",\n    ".join(lines) + "\n  ]"
        for module, lines in modules.items()
    ]
    return (
        '{\n"kinds": [\n  '
        + ",\n  ".join(kinds)
        + '\n],\n"loops": {\n  '
        + ",\n  ".join(parts)
        + "\n}\n}\n"
    )


def recording() -> bool:
    """Whether compiled loops are recorded."""
    return bool(os.environ.get(_RECORD))


def record(known: KnownLoop) -> None:
    """Append a compiled loop to the file named by UNDOKU_RECORD_LOOPS, if it is set."""
    if path := os.environ.get(_RECORD):
        line = json.dumps(known._replace(seconds=round(known.seconds, 2)))
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def read_record(path: Path) -> Iterator[KnownLoop]:
    """The loops written by `record`, each loop and signature once."""
    found: dict[tuple[str, str, Signature], KnownLoop] = {}
    for line in path.read_text("utf-8").splitlines():
        known = KnownLoop(*frozen(json.loads(line)))
        before = found.get(known[:3])
        role = max(known.role, before.role if before else "", key=_ROLES.index)
        seconds = max(known.seconds, before.seconds if before else 0)
        found[known[:3]] = known._replace(role=role, seconds=seconds)
    yield from found.values()
