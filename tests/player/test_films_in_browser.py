"""Films written directly in a real browser, which shows the picture of any time and plays their
sound."""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.support.browser_pages import OpenedPage
from tests.support.decoding import film_index
from tests.support.direct_films import decode, write
from tests.support.films import HEIGHT, WIDTH, board_film, sink_context
from tests.support.heard_sound import RATE, heard, lag
from tests.support.puzzles import EASY, MEDIUM
from undoku import search
from undoku.render.delivery.outputs import context_of
from undoku.render.delivery.write import write_film
from undoku.render.draw.canvas import Frame
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.sink import DIRECT, SinkContext

MAX_OFF = 20
"""The maximum difference of the luma of a pixel, 16..235, in a browser. Conversion, rounding and
clipped colours make some; a digit elsewhere makes a hundred."""

OPEN = """async content => {
  window.once = (what, name) => new Promise((found, lost) => {
    what.addEventListener(name, found, {once: true});
    what.addEventListener("error", () => lost(new Error(name + " failed")), {once: true});
  });
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  window.film = document.createElement("video");
  film.muted = true;
  document.body.replaceChildren(film);
  const ready = once(film, "loadeddata");
  film.src = URL.createObjectURL(new Blob([bytes], {type: "video/mp4"}));
  await ready;
}"""

# The element says that it has sought before it shows what it found.
SEEK = """async time => {
  const shown = new Promise(done => film.requestVideoFrameCallback(done));
  film.currentTime = time;
  await once(film, "seeked");
  await Promise.race([shown, new Promise(done => setTimeout(done, 1000))]);
  const canvas = new OffscreenCanvas(film.videoWidth, film.videoHeight);
  canvas.getContext("2d").drawImage(film, 0, 0);
  const reader = new FileReader();
  reader.readAsDataURL(await canvas.convertToBlob());
  await once(reader, "load");
  return reader.result.split(",")[1];
}"""

END = """async () => {
  film.currentTime = film.duration - 1;
  film.playbackRate = 4;
  await film.play();
  await once(film, "ended");
  return [film.videoWidth, film.videoHeight, film.duration];
}"""


def check_in_a_browser(
    page: OpenedPage,
    folder: Path,
    context: SinkContext,
    frames: Callable[[], Iterator[Frame]],
    places: int,
) -> None:
    """Chromium shows the right pictures of a file: the first, the last, the key frames and so many
    random ones."""
    path = folder / "film.mp4"
    write(path, context, frames())
    settings, index = context.settings, film_index(path)
    width, height, last = settings.width, settings.height, index.frames - 1
    random = np.random.default_rng(6)
    some = random.permutation(index.frames)[:places].tolist()
    decoded = decode(path, context, "h264")[:, : width * height]
    page.page.goto("about:blank")
    page.run(OPEN, b64encode(path.read_bytes()).decode())
    for number in (*some, *index.key_frames, last, 0):
        # Within the time of a picture, wherever.
        time = float((number + 0.04 + 0.88 * random.random()) / settings.fps)
        with Image.open(io.BytesIO(b64decode(page.run(SEEK, time)))) as picture:
            luma = np.asarray(picture.convert("RGB")) @ np.array([0.2126, 0.7152, 0.0722])
        off = 16 + luma * 219 / 255 - decoded[number].reshape(height, width)
        assert np.abs(off).max() <= MAX_OFF, number
    *size, seconds = page.run(END)
    assert (*size, round(seconds * settings.fps)) == (width, height, index.frames)


def test_a_browser_shows_the_picture_of_any_time(page: OpenedPage, tmp_path: Path) -> None:
    context = sink_context(WIDTH, HEIGHT, Fraction(4))
    check_in_a_browser(page, tmp_path, context, partial(board_film, 130), 4)


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "fps", "seconds"),
    [
        ("1280x720", 60, "3s"),
        ("1920x1080", 60, "2s"),
        ("1080x1920", 60, "2s"),
        ("2560x1440", 60, "1s"),
        ("3840x2160", 60, "0.5s"),
    ],
)
def test_a_browser_shows_the_pictures_of_films_of_all_sizes(
    page: OpenedPage, size: str, fps: int, seconds: str, tmp_path: Path
) -> None:
    """With the panels that films have by default."""
    traces = [search(MEDIUM.grid, name) for name in ("row-major", "mrv")]
    settings = {"size": size, "fps": fps, "duration": seconds, "pace": "even"}
    film = Film(traces, settings_of({**settings, "key_interval": "0.5s"}))
    context = context_of(film)._replace(encoder=DIRECT)
    check_in_a_browser(page, tmp_path, context, film.frames, 3)


# The film is sought in and then played to its end; its sound is decoded as a whole.
WATCH = """async ([content, type]) => {
  const once = (film, name) => new Promise((found, lost) => {
    film.addEventListener(name, found, {once: true});
    film.addEventListener("error", () => lost(new Error(name + " failed")), {once: true});
  });
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  const film = document.createElement("video");
  film.muted = true;
  film.src = URL.createObjectURL(new Blob([bytes], {type}));
  document.body.append(film);
  await once(film, "loadeddata");
  const times = [];
  for (const time of [2.5, 0.3, 1.7]) {
    film.currentTime = time;
    await once(film, "seeked");
    times.push(film.currentTime);
  }
  film.currentTime = film.duration - 0.8;
  await film.play();
  await once(film, "ended");
  const played = film.webkitAudioDecodedByteCount;
  const sound = await new OfflineAudioContext(2, 48000, 48000).decodeAudioData(bytes.buffer);
  const left = new Uint8Array(sound.getChannelData(0).buffer);
  let letters = "";
  for (let at = 0; at < left.length; at += 8192)
    letters += String.fromCharCode(...left.subarray(at, at + 8192));
  return {times, played, duration: film.duration, channels: sound.numberOfChannels,
          left: btoa(letters)};
}"""


def written(folder: Path, name: str) -> Path:
    path = folder / name
    encoder = name.partition(".")[0]
    asked: dict[str, Any] = {
        "size": "160x160", "fps": 30, "pace": "even", "steps_per_second": 6, "to_step": 12,
        "intro": "0.5s", "card": "0.5s", "sound": True,
        "encoder": encoder if name.endswith("mp4") else "auto",
    }  # fmt: skip
    write_film(Film([search(EASY.grid, "mrv")], settings_of(asked)), [path])
    return path


def test_a_browser_plays_and_seeks_in_a_film_with_sound(page: OpenedPage, tmp_path: Path) -> None:
    """It plays sound, and what it decodes is the film's sound, at its time and in its length."""
    names = {"direct.mp4": "video/mp4", "film.webm": "video/webm"}
    page.page.goto("about:blank")
    for name, kind in names.items():
        path = written(tmp_path, name)
        reported = page.run(WATCH, [b64encode(path.read_bytes()).decode(), kind])
        right = heard(path)
        assert reported["times"] == [2.5, 0.3, 1.7]
        assert reported["played"] > 0
        assert reported["channels"] == 2
        assert reported["duration"] == pytest.approx(len(right) / RATE, abs=1 / 30)
        left = np.frombuffer(b64decode(reported["left"]), "<f4")
        # Some versions of Chromium keep the end of the last frame of AAC, 1,024 samples.
        assert -RATE // 1000 <= len(left) - len(right) < 1024 + RATE // 1000
        length = min(len(left), len(right))
        pair = np.stack([left[:length], left[:length]], axis=1)
        assert abs(lag(right[:length], pair)) <= RATE // 1000
