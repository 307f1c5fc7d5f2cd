"""A process that compiles loops for another one: one line for each task and for each answer."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import threading
from queue import SimpleQueue
from typing import IO

from undoku.machine_code.signatures import frozen

__all__ = ["main"]


def main() -> None:
    """Do tasks one after the other until there are no more, or the other process has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
    # Numba keeps most of the objects that it makes. Looking for garbage among them after each 700,
    # Python's default, takes 7 % of the time of compiling; this takes 3 %, and 10 MB more.
    gc.set_threshold(50_000, 10, 10)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    tasks: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, tasks), daemon=True).start()
    while True:
        fields = json.loads(tasks.get())
        try:
            done = _done(*fields)
        except Exception:  # the other process compiles it and reports the error
            done = False
        answers.write(f"{json.dumps(done)}\n")
        answers.flush()


def _read(lines: IO[str], tasks: SimpleQueue[str]) -> None:
    for line in lines:
        tasks.put(line)
    os._exit(0)


def _done(module: str, name: str, signature: object, role: str, digest: str) -> bool:
    """Compile a loop; returns whether its machine code is available now."""
    from undoku.machine_code import compiling, filling
    from undoku.machine_code.processors import host

    loop = filling.loop_named(module, name)
    kinds = frozen(signature)
    if loop is None or loop.digest(kinds, host()) != digest:
        return False
    if role == "called":
        compiling.compile_for_others(loop, kinds)
        return True
    return filling.compile_here(loop, kinds, role) is not None
