"""The columns and the metadata of a trace in a Parquet file, for those who want to query a search.

One row per event: `op` (dictionary of guess, forced, undo, eliminate, restore, restart, learn,
probe), `cell` (uint16, from 0; of a nogood the number of its guesses), `value` (uint8, for an undo
the value that is taken back) and `depth` (uint16, the guesses in force after the event); of a trace
that gives reasons also `rule` and `unit` (text, null where an event has none). The metadata of the
schema contains the header under "undoku", as JSON; that of the file contains the tally under
"undoku.tally", so that totals are known without reading a row. `load_pyarrow` loads the library
that reads and writes such files.
"""

from __future__ import annotations

from typing import Any

from undoku.errors import SettingsError
from undoku.solver.trace.trace import Op

__all__ = [
    "COLUMNS",
    "HEADER_KEY",
    "OP_NAMES",
    "REASON_COLUMNS",
    "TALLY_KEY",
    "load_pyarrow",
]

HEADER_KEY, TALLY_KEY = b"undoku", b"undoku.tally"
"""The keys of the metadata."""

OP_NAMES = [op.name.lower() for op in Op]
"""The names of the events, by their number."""

COLUMNS = ["op", "cell", "value"]
"""The columns that are read; `depth` follows from them."""

REASON_COLUMNS = ["rule", "unit"]
"""The optional columns of reasons."""


def load_pyarrow() -> Any:
    """pyarrow with its Parquet module. Raises SettingsError, which states how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SettingsError(
            "Parquet needs the package pyarrow, which is not installed",
            remedy='install it with: pip install "undoku[parquet]"',
        ) from None
    return pyarrow
