"""Films of backtracking searches.

>>> import undoku
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> undoku.solve(puzzle, "row-major", "mrv")[1]["nodes"]
52
>>> undoku.film(puzzle, "row-major", "mrv", "film.mp4", "film.gif")  # doctest: +SKIP

film      films, GIFs, pictures and pages          watch, calls   record a solver of your own
frames    the pictures of a film as arrays         trace, search  a search, event by event
solve     counts; stats: more of them              strategies     what strategies consist of
study     many puzzles; batch: many films          generate       parse_puzzle: puzzles
chart     figures of searches                      SettingsError  like all: UndokuError

help(undoku.film) tells more; dir(undoku) lists all names; the command is `undoku`, or
`python -m undoku`. The halves: undoku.solver finds out what happens, undoku.render shows it.
"""

from __future__ import annotations

from functools import cache


@cache
def _modules() -> dict[str, str]:
    """The public names and the modules that define them, from the stub beside this file."""
    import ast
    from pathlib import Path

    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def __getattr__(name: str) -> object:
    # The names are listed once, in the stub, for type checkers, too. Each is loaded when it is
    # used first, so that importing the package costs nothing.
    if name == "__version__":
        from importlib.metadata import version

        return version("undoku")
    if name == "__all__" and not _asked_by_pydoc():
        return sorted(_modules())
    if name.startswith("__") or name not in _modules():
        raise AttributeError(f"module 'undoku' has no attribute {name!r}")
    from importlib import import_module

    from undoku.arguments import checked

    module = import_module(_modules()[name])
    value = checked(getattr(module, name))
    # In its module, too, where pickle looks for it.
    globals()[name] = vars(module)[name] = value
    return value


def _asked_by_pydoc() -> bool:
    """Whether `help` asks for a name: it prints all documentation of what is in `__all__`, 5,500
    lines."""
    from inspect import currentframe

    frame = currentframe()
    names = (frame := frame and frame.f_back) and frame.f_back
    return names is not None and names.f_globals.get("__name__") == "pydoc"


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules(), "__version__"})
