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
    # The outline of each subtree, from its own depth down, relative to its root.
    left: list[list[float]] = [[] for _ in range(count)]
    right: list[list[float]] = [[] for _ in range(count)]
    for node in reversed(range(count)):
        left[node], right[node] = _joined(children[node], shift, left, right)
        for child in children[node]:  # no longer needed, and many
            left[child] = right[child] = []
    x, depth = [0.0] * count, [0] * count
    for node in range(1, count):
        x[node] = x[parents[node]] + shift[node]
        depth[node] = depth[parents[node]] + 1
    least = min(x)
    return [place - least for place in x], depth


def _joined(
    children: Sequence[int],
    shift: list[float],
    left: Sequence[list[float]],
    right: Sequence[list[float]],
) -> tuple[list[float], list[float]]:
    """Move subtrees together; sets their shifts and returns the outline of the whole."""
    if not children:
        return [0.0], [0.0]
    outer_left = list(left[children[0]])
    outer_right = list(right[children[0]])
    at = [0.0]
    for child in children[1:]:
        own_left, own_right = left[child], right[child]
        apart = max(a - b for a, b in zip(outer_right, own_left, strict=False)) + 1
        at.append(apart)
        outer_left += [place + apart for place in own_left[len(outer_left) :]]
        outer_right[: len(own_right)] = [place + apart for place in own_right]
    middle = (at[0] + at[-1]) / 2
    for child, place in zip(children, at, strict=True):
        shift[child] = place - middle
    return (
        [0.0, *(place - middle for place in outer_left)],
        [0.0, *(place - middle for place in outer_right)],
    )
