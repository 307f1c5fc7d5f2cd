"""What a foreign program (PyAV) finds in the file of a film, without decoding its pictures."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class FilmIndex:
    """The packets of pictures in the order of the file: offsets and sizes in bytes, durations in
    seconds. `profile` is ffmpeg's name of the codec's profile; `colour` are the primaries, the
    transfer, the matrix and the range by their numbers; `sound` is the codec of the
    sound, or ""."""

    width: int
    height: int
    profile: str
    colour: tuple[int, int, int, int]
    duration: Fraction
    durations: list[Fraction]
    sizes: list[int]
    places: list[int]
    key_frames: list[int]
    sound: str
    index_first: bool

    @property
    def frames(self) -> int:
        return len(self.sizes)


def film_index(path: Path) -> FilmIndex:
    """Read the index of an MP4, MOV or WebM. Skips the test without PyAV."""
    av: Any = pytest.importorskip("av", reason="needs PyAV")
    content = path.read_bytes()
    with av.open(str(path)) as film:
        track = film.streams.video[0]
        packets = [packet for packet in film.demux(track) if packet.size]
        context = track.codec_context
        sounds = film.streams.audio
        return FilmIndex(
            context.width,
            context.height,
            context.profile,
            (context.color_primaries, context.color_trc, context.colorspace, context.color_range),
            max((packet.pts + packet.duration) * packet.time_base for packet in packets),
            [packet.duration * packet.time_base for packet in packets],
            [packet.size for packet in packets],
            [packet.pos for packet in packets],
            [number for number, packet in enumerate(packets) if packet.is_keyframe],
            sounds[0].codec_context.name if sounds else "",
            content.find(b"moov") < content.find(b"mdat"),
        )
