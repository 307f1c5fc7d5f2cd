"""A language in which every text is a mark of its own, so that one sees which texts a film says and
what it says beside them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from undoku.render.draw import sprites
from undoku.render.draw.lettering import text_mask
from undoku.texts.language import places_in
from undoku.texts.wording import english

MARKED = "marked"

_FIRST, _BASE = 0x2801, 15
"""Patterns of dots, which the typeface has: two of them stand for a key."""


def _mark(number: int) -> str:
    return chr(_FIRST + number // _BASE) + chr(_FIRST + 0x40 + number % _BASE)


def _keys() -> dict[str, str]:
    return {_mark(number): key for number, key in enumerate(sorted(english()))}


def write_marked(folder: Path) -> str:
    """The path of a file of texts that has a mark for every text, followed by its places."""
    lines = ['language = "ja"', "[texts]"]
    for mark, key in _keys().items():
        places = "".join(f"{{{place}}}" for place in sorted(places_in(english()[key]["other"])))
        lines.append(f'"{key}" = "{mark}{places}"')
    path = folder / f"{MARKED}.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def keys_in(text: str) -> set[str]:
    """The keys of the texts that a text is made of."""
    keys = _keys()
    return {keys[text[at : at + 2]] for at in range(len(text)) if text[at : at + 2] in keys}


class Said:
    """What was drawn."""

    def __init__(self) -> None:
        self.texts: set[str] = set()


@contextmanager
def drawn_texts(patch: pytest.MonkeyPatch) -> Iterator[Said]:
    """The texts that are drawn in pictures meanwhile."""
    message = Said()
    draw = text_mask

    def drawing(text: str, *given: object) -> object:
        message.texts.add(text)
        return draw(text, *given)  # type: ignore[arg-type]  # what was given

    with patch.context() as patched:
        patched.setattr(sprites, "text_mask", drawing)
        yield message
