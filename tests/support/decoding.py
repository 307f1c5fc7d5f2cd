"""Decodes films, independently of what wrote them."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import imageio_ffmpeg
import numpy as np
import pytest

from tests.support.system import PATIENCE
from undoku.render.draw.canvas import Pixels
from undoku.render.write.ffmpeg import executable


def decoded(path: Path, width: int, height: int) -> Iterator[Pixels]:
    """Every frame that ffmpeg's decoder shows, each exactly once, converted by BT.709."""
    process = subprocess.Popen(
        [
            imageio_ffmpeg.get_ffmpeg_exe(),
            *("-v", "error", "-err_detect", "explode", "-i", f"file:{path}"),
            *("-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int+bitexact"),
            *("-f", "rawvideo", "-pix_fmt", "rgb24", "-"),
        ],
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    size = width * height * 3
    with process.stdout as pipe:
        while raw := pipe.read(size):
            assert len(raw) == size
            yield np.frombuffer(raw, np.uint8).reshape(height, width, 3)
    assert process.wait() == 0


# What a foreign program (PyAV) finds in the file of a film, without decoding its pictures.


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


# Foreign decoders that read a film as I420: pictures one behind the other.


DECODERS = ("h264", "libopenh264")
"""ffmpeg's names of two decoders."""


def by_ffmpeg(film: Path | bytes, decoder: str, *options: str, program: str | None = None) -> bytes:
    """A file or a bare stream, by an ffmpeg that stops at the slightest doubt, and must have
    none."""
    source = ["-i", f"file:{film}"] if isinstance(film, Path) else ["-f", "h264", "-i", "-"]
    done = subprocess.run(
        [
            *(program or executable(), "-v", "error", "-err_detect", "explode", "-c:v", decoder),
            *(*options, *source, "-fps_mode", "passthrough", "-f", "rawvideo"),
            *("-pix_fmt", "yuv420p", "-"),
        ],
        input=film if isinstance(film, bytes) else None,
        capture_output=True,
        check=True,
    )
    assert done.stderr.decode() == ""
    return done.stdout


def by_gstreamer(decoder: str, path: Path, size: tuple[int, int]) -> bytes:
    """By an element of GStreamer. `size` is that of the pictures: GStreamer pads each row to a
    multiple of four bytes (its video formats, "I420")."""
    if not shutil.which("gst-launch-1.0"):
        pytest.skip("there is no GStreamer on this machine")
    known = subprocess.run(["gst-inspect-1.0", "--exists", decoder, "qtdemux"], check=False)
    if known.returncode:
        pytest.skip(f"GStreamer here has no {decoder}")
    raw = path.with_suffix(f".{decoder}.yuv")
    line = f"filesrc location={path} ! qtdemux ! h264parse ! {decoder} ! video/x-raw,format=I420"
    subprocess.run(
        ["gst-launch-1.0", "-q", *line.split(), "!", "filesink", f"location={raw}"],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    return _without_padding(raw.read_bytes(), *size)


def _without_padding(raw: bytes, width: int, height: int) -> bytes:
    """Pictures whose rows have no padding."""
    luma, chroma = -(-width // 4) * 4, -(-width // 8) * 4
    pictures = np.frombuffer(raw, np.uint8).reshape(-1, height * (luma + chroma))
    first = pictures[:, : height * luma].reshape(-1, height, luma)[:, :, :width]
    others = pictures[:, height * luma :].reshape(-1, height, chroma)[:, :, : width // 2]
    parts = [part.reshape(len(pictures), -1) for part in (first, others)]
    return np.concatenate(parts, axis=1).tobytes()


def by_pyav(path: Path) -> bytes:
    av = pytest.importorskip("av", reason="needs PyAV")
    planes = []
    with av.open(str(path)) as film:
        for frame in film.decode(video=0):
            planes.append(frame.to_ndarray(format="yuv420p").tobytes())
    return b"".join(planes)


# What ffmpeg says about H.264 streams, in files or bare: headers, macroblocks, motion vectors;
# and what a level of the standard allows them.


Headers = dict[str, int]
"""The syntax elements of a parameter set or slice header by their names in the standard."""


class Macroblock(NamedTuple):
    """The quantiser, and ffmpeg's letter of the type: S skipped, > inter, i and I intra, P raw."""

    qp: int
    kind: str


class Part(NamedTuple):
    """A partition in luma samples, and its vector in quarter samples. Of quarters that are cut
    again, ffmpeg reports the first part, as if it were the whole."""

    x: int
    y: int
    width: int
    height: int
    right: int
    down: int


def _log(film: Path | bytes, before: list[str], after: list[str]) -> str:
    """What ffmpeg logs when it reads a file or a bare stream."""
    source = ["-i", f"file:{film}"] if isinstance(film, Path) else ["-f", "h264", "-i", "-"]
    command = [executable(), "-hide_banner", "-threads", "1", *before, *source, "-map", "0:v"]
    done = subprocess.run(
        [*command, *after, "-f", "null", "-"],
        input=None if isinstance(film, Path) else film,
        capture_output=True,
        check=True,
    )
    return done.stderr.decode()


def headers(film: Path | bytes) -> list[Headers]:
    """Those of the sequence, of the pictures, and of each slice."""
    log = _log(film, ["-v", "verbose"], ["-c", "copy", "-bsf:v", "trace_headers"])
    sections = re.split(r"\] (?:\w+ Parameter Set|Slice Header)\n", log)[1:]
    return [
        {name: int(value) for name, value in re.findall(r"\] \d+ +(\w+) +[01]+ = (-?\d+)", section)}
        for section in sections
    ]


def macroblocks(film: Path | bytes) -> list[list[Macroblock]]:
    """Those of each picture, row by row, the atlas included."""
    log = _log(film, ["-v", "debug", "-debug", "mb_type+qp"], [])
    # Earlier decoders only looked for the size of the pictures.
    decoder = re.findall(r"\[h264 @ (\w+)\] New frame", log)[-1]
    own = "\n".join(re.findall(rf"^\[h264 @ {decoder}\] (.*)$", log, re.MULTILINE))
    return [
        [
            Macroblock(int(qp), kind)
            for row in re.findall(r"^ +\d+ ((?:[ \d]\d\S+ +)+)$", picture, re.MULTILINE)
            for qp, kind in re.findall(r"([ \d]\d)(\S)\S* *", row)
        ]
        for picture in own.split("New frame, type: ")[1:]
    ]


def vectors(film: Path | bytes) -> list[set[Part]]:
    """The partitions of each picture that are copied from the one before."""
    av = pytest.importorskip("av", reason="needs PyAV")
    source = io.BytesIO(film) if isinstance(film, bytes) else str(film)
    container = av.open(source, format="h264" if isinstance(film, bytes) else None)
    found: list[set[Part]] = []
    with container as opened:
        opened.streams.video[0].codec_context.options = {"flags2": "+export_mvs"}
        for frame in opened.decode(video=0):
            parts: set[Part] = set()
            if side_data := frame.side_data.get(av.sidedata.sidedata.Type.MOTION_VECTORS):
                reported = side_data.to_ndarray()
                wide, high = reported["w"].astype(int), reported["h"].astype(int)
                columns = (
                    reported["dst_x"] - wide // 2, reported["dst_y"] - high // 2, wide, high,
                    reported["motion_x"], reported["motion_y"],
                )  # fmt: skip
                parts.update(map(Part, *(column.tolist() for column in columns)))
            found.append(parts)
    return found


# level_idc: MaxMBPS, MaxFS, MaxDpbMbs, MaxBR in 1200 bits/s, MinCR: table A-1.
_LEVELS = {
    31: (108000, 3600, 18000, 14000, 4),
    32: (216000, 5120, 20480, 20000, 4),
    40: (245760, 8192, 32768, 20000, 4),
    41: (245760, 8192, 32768, 50000, 2),
    42: (522240, 8704, 34816, 50000, 2),
    50: (589824, 22080, 110400, 135000, 2),
    51: (983040, 36864, 184320, 240000, 2),
    52: (2073600, 36864, 184320, 240000, 2),
    60: (4177920, 139264, 696320, 240000, 2),
    61: (8355840, 139264, 696320, 480000, 2),
    62: (16711680, 139264, 696320, 800000, 2),
}


def check_vectors(sequence: Headers, pictures: Sequence[set[Part]]) -> None:
    """No vector leaves its range (clause A.3.1), what the stream declares, or the picture: nothing
    outside is used, not even by the six taps that make a sample between two (clause E.2.1)."""
    assert not sequence["motion_vectors_over_pic_boundaries_flag"]
    axes = (
        ("log2_max_mv_length_horizontal", "pic_width_in_mbs_minus1", 4 * 2048),
        ("log2_max_mv_length_vertical", "pic_height_in_map_units_minus1", 4 * 512),
    )
    for part in {part for picture in pictures for part in picture}:
        for axis, (declared, macroblocks, most) in enumerate(axes):
            start, length, by = part[axis], part[2 + axis], part[4 + axis]
            if (part.width, part.height) == (8, 8):
                length = 4  # the vector may be that of the first part of four
            longest = min(most, 1 << sequence[declared])
            assert -longest <= by < longest
            first, between = start + by // 4, by % 4 != 0
            assert first - 2 * between >= 0
            assert first + length + 3 * between <= 16 * (sequence[macroblocks] + 1)


def check_level(sequence: Headers, sizes: Sequence[int], seconds: Sequence[Fraction]) -> None:
    """The stream keeps to its level: clause A.3.1. `sizes` are the pictures' bytes, `seconds` how
    long they last."""
    speed, size, kept, rate, ratio = _LEVELS[sequence["level_idc"]]
    width = sequence["pic_width_in_mbs_minus1"] + 1
    height = sequence["pic_height_in_map_units_minus1"] + 1
    assert width * height <= size
    assert max(width, height) ** 2 <= 8 * size
    assert sequence["max_num_ref_frames"] * width * height <= kept
    fps = Fraction(sequence["time_scale"], 2 * sequence["num_units_in_tick"])
    assert width * height * fps <= speed
    assert min(seconds) * fps >= 1
    assert max(sizes) <= 384 * speed / fps / ratio
    # The bits of any second.
    times = [sum(seconds[:at], Fraction(0)) for at in range(len(seconds))]
    first = within = 0
    for at, bytes_ in enumerate(sizes):
        within += bytes_
        while times[at] - times[first] >= 1:
            within -= sizes[first]
            first += 1
        assert 8 * within <= 1200 * rate
