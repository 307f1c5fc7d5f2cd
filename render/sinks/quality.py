"""The named qualities of H.264 films."""

from __future__ import annotations

from dataclasses import dataclass

from solver.errors import SettingsError

__all__ = ["QUALITIES", "Quality", "quality"]


@dataclass(frozen=True, slots=True)
class Quality:
    """A setting of the x264 encoder: its preset and what is changed in that."""

    name: str
    purpose: str
    preset: str
    parameters: str


QUALITIES = {
    one.name: one
    for one in (
        Quality(
            "draft",
            "fastest",
            "ultrafast",
            "qp=20:8x8dct=1:no-deblock=1:bframes=0:scenecut=0:weightp=0:aq-mode=0:mbtree=0:keyint=600",
        ),
        Quality(
            "standard",
            "small and clean",
            "veryfast",
            "qp=24:no-deblock=1:bframes=0:scenecut=0:weightp=0:aq-mode=0:mbtree=0:keyint=600",
        ),
        Quality(
            "archive",
            "visually lossless",
            "veryfast",
            "qp=14:no-deblock=1:bframes=0:scenecut=0:weightp=0:aq-mode=0:mbtree=0:keyint=600",
        ),
    )
}


def quality(name: str) -> Quality:
    """The quality of that name. Raises SettingsError for an unknown one."""
    if name not in QUALITIES:
        raise SettingsError(
            f"there is no quality {name!r}", remedy=f"choose one of {', '.join(QUALITIES)}"
        )
    return QUALITIES[name]
