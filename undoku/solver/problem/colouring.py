"""Colourings of maps, which are files beside this module, and of graphs in DIMACS's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from undoku.errors import Place, PuzzleError, did_you_mean
from undoku.file_reading import opened
from undoku.solver.problem.problem import MAX_UNITS, MAX_VALUES, MAX_VARIABLES
from undoku.solver.problem.problem_file import puzzle_of
from undoku.solver.problem.puzzle import Puzzle
from undoku.toml_reading import parse_toml

_MAPS = Path(__file__).with_name("maps")


def map_colouring(text: str) -> Puzzle:
    """The puzzle that "australia" or "australia:4" describes: a map, and the number of colours;
    each map has a usual one. Raises PuzzleError."""
    name, colon, colours = text.partition(":")
    known = sorted(path.stem for path in _MAPS.glob("*.toml"))
    if name not in known:
        choice = f"choose {' or '.join(known)}"
        raise PuzzleError(
            f"there is no map called {name!r}", remedy=did_you_mean(name, known, choice)
        )
    source = f"map:{name}"
    content: dict[str, Any] = {**parse_toml((_MAPS / f"{name}.toml").read_bytes(), source).content}
    if colon:
        content["values"] = _colours(colours, source)
    return puzzle_of(content, source)


def graph_colouring(text: str) -> Puzzle:
    """The puzzle that "FILE:3" describes: a graph in DIMACS's format (`p edge 5 4`, then an edge on
    each line, `e 1 2`; lines with `c` are comments), and the number of colours. Raises ReadError,
    PuzzleError."""
    name, _, colours = text.rpartition(":")
    if not name:
        raise PuzzleError(
            "the number of colours is missing", remedy=f"write graph:{text or 'FILE'}:3"
        )
    count, nodes = _colours(colours, f"graph:{name}"), 0
    edges: set[tuple[int, int]] = set()
    with opened(name) as file:
        for number, raw in enumerate(file, 1):
            line = raw[:100].decode("utf-8", "replace").rstrip()
            words = line.split()
            numbers = [int(word) for word in words[1:] if word.isascii() and word[:9].isdecimal()]
            place = Place(name, number, 1, line)
            if words[:1] == ["p"] and len(numbers) == 2 and not nodes:
                nodes = numbers[0]
                if not 1 <= nodes <= MAX_VARIABLES:
                    raise PuzzleError(
                        f"a graph of {nodes:,} nodes is too large or empty",
                        place=place,
                        remedy=f"give 1 to {MAX_VARIABLES:,} nodes",
                    )
            elif words[:1] == ["e"] and len(numbers) == 2 == len(words) - 1 and nodes:
                first, second = sorted(numbers)
                if not 1 <= first < second <= nodes:
                    raise PuzzleError(
                        f"{line!r} joins no two of {nodes} nodes",
                        place=place,
                        remedy=f"name two different nodes, 1 to {nodes}",
                    )
                edges.add((first, second))
                if len(edges) > MAX_UNITS:
                    raise PuzzleError(
                        f"there are more than {MAX_UNITS:,} edges",
                        place=place,
                        remedy="give a smaller graph",
                    )
            elif words and words[0] not in ("c", "n"):
                raise PuzzleError(
                    "this is no line of a DIMACS graph",
                    place=place,
                    remedy="write p edge NODES EDGES, then e FIRST SECOND for each edge",
                )
    if not nodes:
        raise PuzzleError(
            "it has no line p edge NODES EDGES", place=Place(name), remedy="give a DIMACS graph"
        )
    content = {
        "title": Path(name).stem,
        "variables": nodes,
        "values": count,
        "value": "colour",
        "form": "nodes",
        "pairs": {"edge": [list(edge) for edge in sorted(edges)]},
        # Without any rule only a solver could say what is solved; a graph without edges is solved
        # by any colours.
        "domains": {} if edges else {"1": [*range(1, count + 1)]},
    }
    return puzzle_of(content, name)


def _colours(text: str, source: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text[:9]) <= MAX_VALUES:
        raise PuzzleError(
            f"{text!r} is not a number of colours",
            place=Place(source),
            remedy=f"give 1 to {MAX_VALUES} colours, such as {source}:4",
        )
    return int(text)
