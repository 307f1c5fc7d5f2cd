"""What is said of a search that has ended."""

from __future__ import annotations

from typing import Protocol

from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import Text

__all__ = ["SearchStatus", "status_texts"]


class SearchStatus(Protocol):
    """How a search has ended: after `total` steps, with a number of solutions, and whether its
    trace is truncated (`cut`)."""

    @property
    def outcome(self) -> Outcome: ...
    @property
    def total(self) -> int: ...
    @property
    def solutions(self) -> int: ...
    @property
    def cut(self) -> bool: ...


def status_texts(snapshot: SearchStatus) -> list[str]:
    """The texts about a finished search, the fullest first."""
    texts: tuple[Text, ...]
    if snapshot.cut:
        texts = say.TRACE_ENDS_AFTER, say.TRACE_ENDS_AT, say.TRACE_ENDS
    elif snapshot.outcome is Outcome.SOLVED:
        texts = say.SOLVED_IN, say.SOLVED_STEPS, say.SOLVED, say.SOLVED_MARK
    elif snapshot.outcome is Outcome.CAPPED:
        texts = say.CAPPED_AFTER, say.CAPPED_AT, say.CAPPED
    else:
        solutions = snapshot.solutions
        found = say.SOLUTIONS(count=solutions) if solutions else say.NO_SOLUTION()
        return [
            say.WHOLE_TREE_IN(found=found, count=snapshot.total),
            say.WHOLE_TREE(found=found),
            say.capitalised(found),
        ]
    return [text(count=snapshot.total) for text in texts]
