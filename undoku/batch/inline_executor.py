"""The executor of a batch without workers, which runs each task at once in this process."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

from undoku.errors import UndokuError

__all__ = ["InlineExecutor"]

P = ParamSpec("P")
R = TypeVar("R")


class InlineExecutor(Executor):
    """Calls a submitted function before it returns. Unexpected exceptions are raised directly."""

    def submit(
        self, function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs
    ) -> Future[R]:
        future: Future[R] = Future()
        try:
            future.set_result(function(*arguments, **named))
        except UndokuError as error:
            future.set_exception(error)
        return future
