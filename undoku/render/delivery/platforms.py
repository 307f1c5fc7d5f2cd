"""The limits of platforms: a dated table, and the check whether a film is within them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from undoku.errors import SettingsError, did_you_mean
from undoku.toml_reading import parse_toml

if TYPE_CHECKING:
    from undoku.render.film.film import Film

_MEDIA = ("picture", "video")
_WORDS = {
    "bytes": "{:,.0f} bytes",
    "width": "{:,.0f} pixels wide",
    "height": "{:,.0f} pixels high",
    "pixels": "{:,.0f} pixels",
    "frames": "{:,.0f} frames",
    "fps": "{:.4g} frames per second",
    "seconds": "{:,.6g} seconds",
    "shape": "{:.3g} times as wide as high",
    "level": "level {:.1f} of H.264",
}
"""The limited quantities in words; `shape` is width over height."""


def _in_words(limit: str, amount: float) -> str:
    return _WORDS[limit].format(amount).removeprefix("1 times ")


@dataclass(frozen=True, slots=True)
class PlatformLimit:
    """One limit: its largest value, its source and the date of the entry."""

    limit: str
    at_most: float
    source: str
    dated: date


@dataclass(frozen=True, slots=True)
class PlatformLimits:
    """The limits of a platform for one kind of file: the strictest value for each limit."""

    name: str
    figures: Mapping[str, PlatformLimit]
    margins: tuple[Fraction, ...] = ()
    """The margins of a tall picture that the app covers, in percent of the width and the height: on
    the left, at the top, on the right and at the bottom; () for none."""
    size: tuple[int, int] | None = None
    """The width and height of a video for which no others were requested; None for the usual."""
    loudness: int | None = None
    """The loudness in LUFS at which it plays videos; None for the usual."""

    def at_most(self, limit: str) -> float | None:
        """The largest allowed value, None for any."""
        figure = self.figures.get(limit)
        return figure.at_most if figure else None

    def check_shape(self, width: int, height: int) -> None:
        """Raise SettingsError for a picture that is too wide for its height, which no reduction
        changes."""
        widest, shape = self.at_most("shape"), Fraction(width, height)
        if widest and shape > widest:
            raise SettingsError(
                f"{width}×{height} is {_in_words('shape', float(shape))}, and {self.name} takes "
                f"pictures at most {_in_words('shape', widest)}",
                remedy="give a --size that is not so wide, such as 1080x1920",
            )

    def broken_by(self, film: Film) -> tuple[str, ...]:
        """A sentence for each limit that the film exceeds, as far as this is known before it is
        written."""
        settings = film.settings
        measures: dict[str, Fraction | int] = {
            "width": settings.width,
            "height": settings.height,
            "pixels": settings.width * settings.height,
            "frames": film.length,
            "fps": settings.fps,
            "seconds": film.duration,
            "shape": Fraction(settings.width, settings.height),
        }
        return tuple(
            f"{_in_words(limit, float(measures[limit]))}, where {self.name} takes at most "
            f"{_in_words(limit, figure.at_most)}"
            for limit, figure in self.figures.items()
            if measures.get(limit, 0) > figure.at_most
        )


@cache
def _table() -> dict[str, dict[str, Any]]:
    name = "platforms.toml"
    content = files("undoku.render.delivery").joinpath(name).read_bytes()
    return dict(parse_toml(content, name).content)


def platforms() -> dict[str, str]:
    """The full names of platforms, by the name of the option."""
    return {platform: str(entry["name"]) for platform, entry in _table().items()}


def limits_table() -> list[dict[str, str]]:
    """A row for each platform: its name and a sentence with its limits and the date of the oldest
    entry."""
    rows = []
    for platform, name in platforms().items():
        parts, oldest = [], date.max
        for media in _MEDIA:
            figures = _strictest(platform, media).values()
            if figures:
                words = [_in_words(figure.limit, figure.at_most) for figure in figures]
                parts.append(f"{media} up to {', '.join(words)}")
                oldest = min(oldest, *(figure.dated for figure in figures))
        if _margins(platform):
            parts.append("its app covers the edges of tall pictures")
        rows.append({"name": platform, "sentence": f"{name}: {'; '.join(parts)}",
                     "source": f"as of {oldest.isoformat()}"})  # fmt: skip
    return rows


def limits_of(platform: str, media: str) -> PlatformLimits:
    """The limits of a platform for a "picture" (GIF, PNG, WebP, APNG) or a "video".

    Raises SettingsError for an unknown platform, and if it does not accept files of that kind.
    """
    table = _table()
    if platform not in table:
        raise SettingsError(
            f"there is no platform {platform!r}",
            remedy=did_you_mean(platform, table, f"choose one of {', '.join(table)}"),
        )
    name, figures = platforms()[platform], _strictest(platform, media)
    if not figures:
        raise SettingsError(
            f"{name} accepts only {'videos' if media == 'picture' else 'pictures'}",
            remedy="write MP4" if media == "picture" else "write GIF",
        )
    size = table[platform].get("size") if media == "video" else None
    loudness = table[platform].get("loudness", {}).get("lufs")
    return PlatformLimits(name, figures, _margins(platform), size and tuple(size), loudness)


def _strictest(platform: str, media: str) -> dict[str, PlatformLimit]:
    """The strictest figure for each limit of a platform for files of a kind."""
    found: dict[str, PlatformLimit] = {}
    for entry in _table()[platform]["figures"]:
        limit = entry["limit"]
        figure = PlatformLimit(limit, entry["at_most"], entry["source"], entry["dated"])
        if entry["media"] == media and (
            limit not in found or figure.at_most < found[limit].at_most
        ):
            found[limit] = figure
    return found


def _margins(platform: str) -> tuple[Fraction, ...]:
    covered = _table()[platform].get("margins", {}).get("percent", ())
    return tuple(Fraction(str(one)) for one in covered)
