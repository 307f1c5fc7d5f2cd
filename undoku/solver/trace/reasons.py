"""The reasons of a solver's steps, which a trace gives for some of its events."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import category

from undoku.errors import TraceError
from undoku.toml_reading import shown

MAX_NAME_LENGTH = 100
"""The maximum number of characters of the name of a rule or a unit."""

_REMEDY = 'write {"rule":"hidden-single","unit":"row 4"}, or no unit'

MAX_REASONS = 1 << 22
"""The maximum number of reasons stored for one trace, 12 bytes each; later ones are dropped."""

MAX_DIFFERENT_REASONS = 1 << 16
"""The maximum number of different reasons stored for one trace."""


class Reason(NamedTuple):
    """The rule of a step, such as "hidden-single", and the unit in which it applied, such as "row
    4", "" for none."""

    rule: str
    unit: str = ""


def parse_reason(content: object) -> Reason:
    """The reason in an object of a trace: `{"rule":"hidden-single","unit":"row 4"}`. Other members
    are ignored. Raises TraceError."""
    if not isinstance(content, dict) or "rule" not in content:
        raise TraceError('a reason is an object with a "rule"', remedy=_REMEDY)
    return Reason(_name(content, "rule"), _name(content, "unit") if "unit" in content else "")


def _name(content: dict[object, object], key: str) -> str:
    text = content[key]
    if (
        not isinstance(text, str)
        or not text.strip()
        or len(text) > MAX_NAME_LENGTH
        or any(category(mark) in ("Cc", "Cs") for mark in text)
    ):
        raise TraceError(
            f"{key} {shown(text)} is not a name of 1 to {MAX_NAME_LENGTH} printable characters",
            remedy=_REMEDY,
        )
    return text


class Reasons:
    """The reasons of a trace by event number, from 0, stored sparsely: 12 bytes for each event with
    a reason, at most MAX_REASONS of them and MAX_DIFFERENT_REASONS different ones."""

    def __init__(self) -> None:
        self._events = array("q")
        self._kinds = array("i")
        self._known: dict[Reason, int] = {}
        self._list: list[Reason] = []

    def add(self, event: int, reason: Reason) -> None:
        """Store the reason of an event. Events come in their order; events that were added before
        are skipped, because a trace can be read again."""
        if len(self._events) >= MAX_REASONS or (self._events and event <= self._events[-1]):
            return
        kind = self._known.get(reason)
        if kind is None:
            if len(self._list) >= MAX_DIFFERENT_REASONS:
                return
            kind = self._known[reason] = len(self._list)
            self._list.append(reason)
        self._events.append(event)
        self._kinds.append(kind)

    def at(self, event: int) -> Reason | None:
        """The reason of an event; None if none was given."""
        found = bisect_left(self._events, event)
        if found < len(self._events) and self._events[found] == event:
            return self._list[self._kinds[found]]
        return None

    def between(self, start: int, stop: int) -> Iterator[tuple[int, Reason]]:
        """The events from `start` to `stop` - 1 that have a reason, with their reasons."""
        first, last = bisect_left(self._events, start), bisect_left(self._events, stop)
        for number in range(first, last):
            yield self._events[number], self._list[self._kinds[number]]

    def __len__(self) -> int:
        return len(self._events)


NO_REASONS = Reasons()
"""The reasons of a trace without any; nothing is added to them."""
