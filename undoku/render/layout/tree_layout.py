"""Places the nodes of a tree compactly, every parent centred above its children.

E. M. Reingold and J. S. Tilford, "Tidier Drawings of Trees", 1981: subtrees are laid out separately
and then moved together until their outlines are one unit apart, so that equal subtrees look equal.
"""

from __future__ import annotations

from collections.abc import Sequence

Places = tuple[list[float], list[int]]
"""For each node its x, which is 0 for the leftmost node, and its depth."""


def places(parents: Sequence[int]) -> Places:
    """The places of the nodes of a tree. `parents` has the parent of each node; nodes come after
    their parents, and node 0, the root, is its own parent. Siblings remain in their order."""
    count = len(parents)
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[parents[node]].append(node)
    shift = [0.0] * count  # from the parent
    # The left and the right edge of each subtree at each depth below its root, relative to it.
    outlines: dict[int, list[tuple[float, float]]] = {}
    for node in reversed(range(count)):
        outline: list[tuple[float, float]] = []
        at = 0.0
        for child in children[node]:
            own = outlines.pop(child)
            gaps = (right - left for (_, right), (left, _) in zip(outline, own, strict=False))
            shift[child] = at = max(gaps, default=-1.0) + 1
            outline[: len(own)] = [
                (outline[depth][0] if depth < len(outline) else left + at, right + at)
                for depth, (left, right) in enumerate(own)
            ]
        middle = at / 2
        for child in children[node]:
            shift[child] -= middle
        outlines[node] = [(0.0, 0.0), *((left - middle, right - middle) for left, right in outline)]
    x, depths = [0.0] * count, [0] * count
    for node in range(1, count):
        x[node] = x[parents[node]] + shift[node]
        depths[node] = depths[parents[node]] + 1
    least = min(x)
    return [place - least for place in x], depths
