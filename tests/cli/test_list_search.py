"""The words by which `undoku list` finds strategies."""

from __future__ import annotations

import pytest

from undoku.cli.list import matching, rows_of

STRATEGIES = rows_of("strategies")

FOUND_BY = {
    "row-major": ("brute force", "reading order", "recursive backtracking"),
    "static": ("static variable ordering",),
    "mrv": (
        "minimum remaining values", "most constrained variable", "fail first", "skiena",
        "smallest domain", "minimum domain", "dom",
    ),
    "mrv-random:SEED": ("random tie-breaking", "Gomes"),
    "bivalue": ("bi-value cells", "bivalue cell"),
    "mrv-degree": ("DSATUR", "degree heuristic", "Brélaz", "brelaz", "graph coloring", "dom+ddeg"),
    "dom-wdeg": ("dom/wdeg", "weighted degree", "domwdeg", "dom over wdeg"),
    "activity": ("activity-based search", "VSIDS", "abs", "impact"),
    "exact-cover": ("exact cover", "s heuristic"),
    "lcv": ("least constraining value", "value ordering"),
    "forward": ("forward checking", "FC", "forwardchecking", "look-ahead", "pruning"),
    "naked-singles": (
        "naked single", "unit propagation", "arc consistency", "ac3", "AC-3", "mac",
        "maintaining arc consistency",
    ),
    "hidden-singles": ("hidden single", "unique candidate"),
    "singles": ("DPLL", "norvig"),
    "locked": (
        "pointing pair", "candidate lines", "claiming", "box line reduction",
        "intersection removal",
    ),
    "pairs": ("naked pair", "hidden pair", "naked subset", "hall set"),
    "triples": ("naked triple", "hidden triple"),
    "x-wing": ("fish", "xwing", "x wing"),
    "swordfish": ("fish", "sword fish"),
    "xy-wing": ("xy wing", "xywing", "y-wing", "bent triple"),
    "alldiff": ("alldifferent", "all different", "GAC", "regin", "generalised arc consistency"),
    "sac": (
        "singleton arc consistency", "shaving", "probing", "failed literal", "nishio", "Simonis",
    ),
    "last-conflict": ("last conflict", "lc(1)"),
    "chronological": ("depth first", "dfs", "backtracking", "trial and error"),
    "cbj": ("backjumping", "conflict-directed", "conflict directed backjumping", "prosser"),
    "nogoods": ("clause learning", "nogood recording", "CDCL", "nogood learning", "SAT solver"),
    "lds": ("limited discrepancy search", "harvey"),
    "luby:DEAD-ENDS": ("luby", "restarts", "random restarts", "heavy tail"),
    "presolve": ("presolve", "presolving", "preprocessing"),
    "propagation": ("constraint propagation",),
    "norvig": ("norvig", "Norvig's solver"),
    "dancing-links": (
        "dlx", "dancing links", "dancinglinks", "algorithm x", "knuth", "exact cover",
    ),
}  # fmt: skip
"""By the part: what people call it."""


@pytest.mark.parametrize("name", FOUND_BY)
def test_a_part_is_found_by_what_people_call_it(name: str) -> None:
    """Fewer than a third of the parts are listed, so that a reader finds it."""
    for words in FOUND_BY[name]:
        found = [row["name"] for row in matching(STRATEGIES, words, "strategies")]
        assert name in found, words
        assert 3 * len(found) < len(STRATEGIES), words


def test_words_of_one_name_do_not_find_another() -> None:
    """`xwing` is not the XY-wing, and `ac3` not every part with arcs."""
    named = {
        words: [row["name"] for row in matching(STRATEGIES, words, "strategies")]
        for words in ("xwing", "ac3", "dlx", "swordfish")
    }
    assert named == {
        "xwing": ["x-wing"],
        "ac3": ["naked-singles"],
        "dlx": ["exact-cover", "dancing-links"],
        "swordfish": ["swordfish"],
    }
