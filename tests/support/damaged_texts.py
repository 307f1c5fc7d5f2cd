"""Texts and bytes with random damage."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T", str, bytes)


def damaged(text: T, other: T, spice: Sequence[T], chance: random.Random) -> T:
    """A text in which something of `spice` comes in or takes a place, something is lost or
    repeated, lines are lost, repeated or exchanged, or which ends as `other` does; often once,
    sometimes several times."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((0, 1, 1, 2, 9, 40)))
        lines = text.splitlines(keepends=True) or [text]
        line, another = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind <= 2:
            text = text[:at] + chance.choice(spice) + text[end:]
        elif kind == 3:
            text = text[:at] + text[at:end] * chance.choice((0, 2, 50)) + text[end:]
        elif kind == 4:
            text = text[:at] + other[chance.randrange(len(other)) :]
        elif kind == 5:
            text = text.replace(lines[line], lines[line] * chance.choice((0, 2)), 1)
        else:
            lines[line], lines[another] = lines[another], lines[line]
            text = text[:0].join(lines)
    return text
