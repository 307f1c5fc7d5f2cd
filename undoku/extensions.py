"""Extensions by other packages, through entry points: one group for each kind."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from undoku.errors import UndokuError


@cache
def add_offers(group: str, add: Callable[[Any], None], error: type[UndokuError]) -> None:
    """Call `add`, once in a process, with each record that installed packages register in an
    entry-point `group`: an entry point names an iterable of records, or a function that returns
    one. Raises `error`, which names the entry point, if one can't be loaded or `add` refuses a
    record.
    """
    for entry in entry_points(group=group):
        try:
            offered = entry.load()
            records: Iterable[Any] = offered() if callable(offered) else offered
            for record in records:
                add(record)
        except error as refusal:
            raise error(f"the package that adds {entry.name!r}: {refusal.message}") from None
        except Exception as problem:
            raise error(
                f"the package that adds {entry.name!r} can't be loaded: {problem}",
                remedy="repair or uninstall it",
            ) from problem


def entry_points(group: str) -> Iterable[Any]:
    """The entry points of a group, as the library lists them."""
    if not _may_be_offered(group):
        return ()
    from importlib.metadata import entry_points  # takes a while to load

    return entry_points(group=group)


def _may_be_offered(group: str) -> bool:
    """Whether a package may have registered something in a group of entry points: False only if no
    file of entry points in `sys.path` names the group. This takes a tenth of the library's time."""
    if any(
        finder is not PathFinder and hasattr(finder, "find_distributions")
        for finder in sys.meta_path
    ):
        return True
    offers = _offers(tuple(sys.path))
    return offers is None or any(group.encode() in text for text in offers)


@cache
def _offers(folders: tuple[str, ...]) -> list[bytes] | None:
    """The files of entry points of all packages in `folders`; None if one is not a folder."""
    texts = []
    for folder in folders:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208  # not a Path for each name
        except FileNotFoundError:
            continue
        except OSError:
            return None
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                with suppress(OSError):
                    texts.append(Path(folder, name, "entry_points.txt").read_bytes())
    return texts


def named_function(what: str, written: str, error: type[UndokuError]) -> Callable[..., Any]:
    """The function or class named by `written`, "module:name"; `what` describes its owner in
    messages. Raises `error` if it can't be loaded.
    """
    module, _, name = written.partition(":")
    try:
        function: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as problem:
        raise error(f"{what} can't be loaded from {written!r}: {problem}") from None
    return function
