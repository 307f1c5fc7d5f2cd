"""The motion vectors of a film as ffmpeg's decoder tells them, through PyAV."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["vectors"]


def vectors(path: Path) -> list[set[tuple[int, ...]]]:
    """(x, y, width, height, right, down) of every partition of each picture, as ffmpeg has them;
    `right` and `down` in quarter samples."""
    av = pytest.importorskip("av")
    found: list[set[tuple[int, ...]]] = []
    with av.open(str(path), "r", options={"flags2": "+export_mvs"}) as film:
        film.streams.video[0].codec_context.options = {"flags2": "+export_mvs"}
        for frame in film.decode(video=0):
            parts: set[tuple[int, ...]] = set()
            for data in frame.side_data:
                if not hasattr(data, "to_ndarray"):  # what an encoder says of itself
                    continue
                reported = data.to_ndarray()
                wide, high = reported["w"].astype(int), reported["h"].astype(int)
                columns = (
                    reported["dst_x"] - wide // 2, reported["dst_y"] - high // 2, wide, high,
                    reported["motion_x"], reported["motion_y"],
                )  # fmt: skip
                parts.update(zip(*(column.tolist() for column in columns), strict=True))
            found.append(parts)
    return found
