"""The exception tree.

    UndokuError
    ├── InputError          exit 2: the request is wrong; correct the request
    │   ├── PuzzleError         a puzzle can't be read or contradicts itself
    │   ├── StrategyError       a strategy's name or spec is unknown
    │   ├── TraceError          a trace can't be read or doesn't replay
    │   └── SettingsError       an option's value is impossible
    └── RunError            exit 3: the request was right, the machine failed
        ├── ReadError           a file is missing or can't be read
        ├── OutputError         a file can't be written, or exists already
        └── EncoderError        the video encoder failed

Loops that are missing or outdated are an ImportError, `undoku.h264.loops.BuildError` (exit 3).
Anything else that escapes is a bug and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from undoku.visible_text import columns, visible

_EXCERPT = 96  # columns of a faulty line that are shown around the caret, at most
_LONGEST_SOURCE = 200  # characters of the name of a source
_LONGEST_MESSAGE = 1000  # characters of a message or a remedy, which may quote what a file contains


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a mistake: `source` (the name of a file, or "the puzzle argument"), the line and
    the column (both from 1; 0 means unknown) and the text of that line."""

    source: str
    line: int = 0
    column: int = 0
    text: str = ""

    def __str__(self) -> str:
        where = visible(self.source)
        if len(where) > _LONGEST_SOURCE:
            where = where[:_LONGEST_SOURCE] + "…"
        if self.line:
            where += f", line {self.line}"
        if self.column:
            where += f", column {self.column}"
        return where

    def excerpt(self) -> str:
        """The line with a caret under the column, "" if unknown. Shows at most 96 columns of the
        line, with control characters as escapes."""
        if not self.text or not self.column:
            return ""
        at = self.column - 1
        before = _tail(visible(self.text[max(0, at - _EXCERPT) : at]), _EXCERPT // 2)
        after = _head(visible(self.text[at : at + _EXCERPT]), _EXCERPT - columns(before))
        return f"    {before}{after}\n    {' ' * columns(before)}^"


def _head(text: str, width: int) -> str:
    """The longest beginning of `text` that takes at most `width` columns."""
    while columns(text) > width:
        text = text[:-1]
    return text


def _tail(text: str, width: int) -> str:
    """The longest end of `text` that takes at most `width` columns."""
    while columns(text) > width:
        text = text[1:]
    return text


def _bounded(text: str) -> str:
    """The text with escapes for control characters, and cut where it is too long."""
    shown = visible(text[:_LONGEST_MESSAGE])
    cut = max(len(text), len(shown)) > _LONGEST_MESSAGE
    return shown[:_LONGEST_MESSAGE] + "…" * cut


class UndokuError(Exception):
    """A mistake or a failure with one clear sentence, its place and its remedy.

    `str(error)` is the sentence with place and remedy; `error.place.excerpt()` draws the caret. In
    all of these, control characters in quotations are escaped, so that they can be printed safely;
    `place.source` and `place.text` are unchanged.
    """

    exit_code = 2

    def __init__(self, message: str, *, place: Place | None = None, remedy: str = "") -> None:
        self.message = _bounded(message)
        super().__init__(self.message)
        self.place = place
        self.remedy = _bounded(remedy)

    def __str__(self) -> str:
        sentence = f"{self.place}: {self.message}" if self.place else self.message
        return f"{sentence}; {self.remedy}" if self.remedy else sentence

    def __reduce__(self) -> tuple[object, ...]:
        # Batches pass exceptions between processes; the default would lose the keyword arguments.
        return (_rebuild, (type(self), self.message, self.place, self.remedy))


def _rebuild(
    kind: type[UndokuError], message: str, place: Place | None, remedy: str
) -> UndokuError:
    return kind(message, place=place, remedy=remedy)


class InputError(UndokuError):
    """The request is wrong."""


class PuzzleError(InputError):
    """A puzzle can't be read, or its givens contradict each other."""


class StrategyError(InputError):
    """The name or the specification of a strategy is unknown."""


class TraceError(InputError):
    """A trace can't be read, or an event contradicts the state after the earlier events."""


class SettingsError(InputError):
    """The value of an option is invalid, by itself or in combination with others."""


class RunError(UndokuError):
    """The request was right, but the machine failed."""

    exit_code = 3


class ReadError(RunError):
    """A file is missing or can't be read."""


class OutputError(RunError):
    """A file can't be written, or exists and may not be replaced."""


class EncoderError(RunError):
    """The video encoder failed, was killed, or wrote frames that differ from its input."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The remedy for an unknown name: the most similar of the known ones, without distinction of
    case; `otherwise` if none is similar."""
    from difflib import get_close_matches  # a correct command needs no time for this

    by_case = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), by_case, 1)
    return f"did you mean {by_case[near[0]]}?" if near else otherwise
