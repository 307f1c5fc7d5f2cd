"""Names of searches on one line or two."""

from __future__ import annotations

from render.style.lettering import Face, fitted_name, text_width, wrapped

__all__ = ["name_lines"]


def name_lines(name: str, face: Face, size: int, width: int, most: int = 2) -> tuple[str, ...]:
    """`name` on one line, else on at most `most` (1 or 2), none wider than `width` pixels. Two
    lines are as equal as the words allow; what does not fit is cut out of the middle of the last,
    for names begin alike and differ at their end."""
    if most < 2 or text_width(name, face, size) <= width:
        return (fitted_name(name, face, size, width),)
    words = name.split()
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    fitting = [
        (max(wide), lines)
        for lines in breaks
        if max(wide := [text_width(line, face, size) for line in lines]) <= width
    ]
    if fitting:
        return min(fitting)[1]
    first, *rest = wrapped(name, face, size, width)
    lines = (first, " ".join(rest)) if rest else (first,)
    return tuple(fitted_name(line, face, size, width) for line in lines)
