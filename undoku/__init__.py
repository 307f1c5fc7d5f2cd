"""Films of backtracking searches.

>>> import undoku
>>> puzzle = undoku.parse_puzzle(
...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
... )
>>> undoku.search(puzzle, "mrv").tally().nodes
52
>>> undoku.film(puzzle, "row-major", "mrv", "film.mp4", "film.gif")  # doctest: +SKIP

Everything public is available here; `python -m undoku` is the command. `undoku.solver` finds out
what happens in a search, `undoku.render` shows it. The public names are listed once, in
`__init__.pyi`, which type checkers read. Each name is loaded when first used, so that importing the
package costs nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _modules() -> dict[str, str]:
    """The public names and the modules that define them, from the stub beside this file."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("undoku")
    if name == "__all__":
        return sorted(_modules())
    if name.startswith("__") or name not in _modules():
        raise AttributeError(f"module 'undoku' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_modules()[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules(), "__version__"})
