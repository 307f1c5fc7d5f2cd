"""What commands print and write: JSON objects, and tables for people, on standard output; messages
on standard error; files other than films, which appear complete or not at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from undoku.render.write.staging import FileTransaction, check_name, write_error
from undoku.solver.problem.appearance import symbols_of
from undoku.solver.trace.trace import Outcome, Tally
from undoku.texts import wording as say
from undoku.texts.language import decimal, number
from undoku.visible_text import columns, html_table, visible, visible_json

_OUTCOMES = {
    Outcome.SOLVED: say.OUTCOME_SOLVED,
    Outcome.EXHAUSTED: say.OUTCOME_EXHAUSTED,
    Outcome.CAPPED: say.CAPPED,
}


def counted(count: int, thing: str) -> str:
    """ "1 step", "534 steps" """
    return f"{count:,} {thing}{'s' * (count != 1)}"


def print_json(content: object) -> None:
    print(visible_json(json.dumps(content, ensure_ascii=False, indent=2)))


def values_text(values: Sequence[int] | None) -> str | None:
    """A board on one line."""
    return symbols_of(values) if values else None


def rate_number(rate: Fraction) -> float | int:
    """A frame rate for JSON: an integer if possible."""
    return int(rate) if rate.denominator == 1 else round(float(rate), 6)


def counts(name: str, tally: Tally, label: str = "") -> dict[str, Any]:
    """The counts of one search for `--json`."""
    return {
        "strategy": name,
        **({"label": label} if label else {}),
        "outcome": tally.outcome.value,
        "solutions": tally.solutions,
        "solution": values_text(tally.solution),
        "nodes": tally.nodes,
        "places": tally.places,
        "forced": tally.forced,
        "guessed": tally.guessed,
        "undos": tally.undos,
        "backtracks": tally.backtracks,
        "dead_ends": tally.dead_ends,
        "max_depth": tally.max_depth,
        "seconds": round(tally.seconds, 6) if tally.seconds else None,
    }


def count_rows(
    rows: Sequence[tuple[str, Tally]], *, interrupted: bool = False
) -> list[tuple[str, ...]]:
    """A table of searches: the headings, and a row for each. For an `interrupted` last search, it
    states this instead of its outcome."""
    columns_of = (
        say.COLUMN_STRATEGY, say.COLUMN_OUTCOME, say.COUNTER_SOLUTIONS, say.COLUMN_NODES,
        say.COUNTER_STEPS, say.COUNTER_FORCED, say.COUNTER_GUESSED, say.COUNTER_BACKTRACKS,
        say.COUNTER_DEAD_ENDS, say.COUNTER_DEPTH, say.COLUMN_SECONDS,
    )  # fmt: skip
    head = tuple(text() for text in columns_of)
    return [head] + [
        (
            visible(name),
            say.INTERRUPTED() if interrupted and row == len(rows) else _OUTCOMES[tally.outcome](),
            *map(number, (tally.solutions, tally.nodes, tally.steps, tally.forced, tally.guessed,
                          tally.backtracks, tally.dead_ends, tally.max_depth)),
            decimal(tally.seconds, 3, all_places=True) if tally.seconds else "–",
        )
        for row, (name, tally) in enumerate(rows, 1)
    ]  # fmt: skip


def table(rows: Sequence[tuple[str, Tally]], *, interrupted: bool = False) -> str:
    """`count_rows` as aligned columns."""
    return aligned(count_rows(rows, interrupted=interrupted), names=2)


def aligned(rows: Sequence[Sequence[str]], *, names: int = 1) -> str:
    """Rows of equal lengths as columns: the first `names` begin on the left, the others end on the
    right."""
    widths = [max(columns(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            text + " " * (width - columns(text))
            if column < names
            else " " * (width - columns(text)) + text
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


class Results(list[dict[str, Any]]):
    """The results of a command as a list of dicts, such as `pandas.DataFrame` takes; it is shown as
    a table. `content` is what the command prints as JSON."""

    def __init__(
        self,
        rows: Iterable[dict[str, Any]],
        content: object,
        shown: Sequence[Sequence[str]],
        *,
        names: int = 1,
        below: str = "",
    ) -> None:
        """`shown` are the headings and the rows of the table, of which the first `names` columns
        begin on the left, and `below` is the text that follows it."""
        super().__init__(rows)
        self.content = content
        self.shown, self._names, self._below = shown, names, below

    def __repr__(self) -> str:
        text = aligned(self.shown, names=self._names) if self.shown else ""
        return "\n".join(filter(None, [text, self._below]))

    def _repr_html_(self) -> str:
        return html_table(self.shown) + f"<pre>{escape(self._below)}</pre>" * bool(self._below)


class Messages:
    """Messages for people, not for scripts: on stderr, and not with --quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def __call__(self, text: str) -> None:
        if not self._quiet:
            print(text, file=sys.stderr)


@contextmanager
def reported(*paths: Path, replaced: bool) -> Iterator[None]:
    """A context that prints the results of a run, which has written `paths`. If standard output
    can't be written, the run has failed, and they are removed; unless they have `replaced` earlier
    files, which are lost."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # its reader needs no more
        raise
    except OSError:
        for path in () if replaced else paths:
            with suppress(OSError):
                path.unlink()
        raise


def free_path(name: str | None, replace: bool) -> Path | None:
    """The path of an output that may be written. Raises OutputError."""
    if name is None:
        return None
    path = Path(name)
    check_name(path, overwrite=replace)
    return path


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. Raises OutputError."""
    write_files({path: lambda temporary: temporary.write_text(text, encoding="utf-8")})


def write_files(files: Mapping[Path, Callable[[Path], object]], *, mark: str = "") -> None:
    """Call each function to write its file under a temporary name, then rename all files. `mark`,
    12 hexadecimal digits, is that of Staging for the first of them; the marks of the others follow
    it. Raises OutputError."""
    with FileTransaction() as transaction:
        for number, (path, write) in enumerate(files.items()):
            own = mark and f"{(int(mark, 16) + number) % 16**12:012x}"
            staging = transaction.open(path, overwrite=True, mark=own)
            try:
                write(staging.temporary)
            except OSError as error:
                raise write_error(path, error) from None
        transaction.publish()
