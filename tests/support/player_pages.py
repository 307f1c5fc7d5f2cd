"""The film, made and opened in pages of the player for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from undoku import Limits, Puzzle, search
from undoku.player.html_page import film_page
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of


def made(puzzle: Puzzle, *strategies: str, limits: Limits | None = None, **given: Any) -> Film:
    """A film of searches with these strategies and settings."""
    return Film([search(puzzle, one, limits or Limits()) for one in strategies], settings_of(given))


def puzzle_of(grid: str) -> Puzzle:
    """A standard puzzle of digits, 0 for empty cells."""
    return Puzzle(tuple(map(int, grid)))


def saved(film: Film, folder: Path, name: str = "page.html") -> str:
    """The address of a film's page in a folder."""
    (folder / name).write_text(film_page(film), encoding="utf-8")
    return (folder / name).as_uri()
