"""What other packages add: through entry points, one group for each kind of addition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from solver.errors import UndokuError

__all__ = ["add_offers", "named_function"]


def add_offers(group: str, add: Callable[[Any], None], error: type[UndokuError]) -> None:
    """Call `add` with all that installed packages offer in an entry-point `group`: an entry point
    names an iterable of records, or a function that returns one.

    Raises `error`, naming the entry point, when one can't be loaded or `add` refuses a record.
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


def named_function(what: str, written: str, error: type[UndokuError]) -> Callable[..., Any]:
    """The function or class that `written`, "module:name", names. `what` says whose it is.

    Raises `error` when it can't be loaded.
    """
    module, _, name = written.partition(":")
    try:
        found: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as problem:
        raise error(f"{what} can't be loaded from {written!r}: {problem}") from None
    return found
