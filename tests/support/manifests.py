"""Manifests that several tests use: small films that take a moment."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.support.puzzles import EASY, MEDIUM
from undoku.render.batch.jobs import films_of
from undoku.render.batch.tasks import FilmGroup

QUICK = """
[defaults]
size = "320x180"
fps = 10
duration = "1s"
intro = 0.2
hold = 0.2
card = 0.2
"""
"""Defaults of films that take a moment."""


def write(folder: Path, text: str, name: str = "films.toml") -> Path:
    """A manifest beside the puzzles that it may name."""
    (folder / "easy.txt").write_text(EASY.grid)
    (folder / "medium.txt").write_text(MEDIUM.grid)
    (folder / "two.sdm").write_text(f"{EASY.grid}\n{MEDIUM.grid}\n")
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def groups(folder: Path, text: str) -> list[FilmGroup]:
    """The films of a manifest that is written to a folder."""
    return films_of(write(folder, text))


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder by its relative name, with the digest of its bytes."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
