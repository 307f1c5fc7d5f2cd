"""Films written directly, in a real browser: wherever one seeks to, the picture of that time."""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.support import browser_pages
from tests.support.board_films import HEIGHT, WIDTH, board_film
from tests.support.decoded_streams import headers
from tests.support.direct_films import decode, write
from tests.support.film_index import film_index
from tests.support.puzzles import MEDIUM
from tests.support.sink_contexts import sink_context
from undoku import parse_puzzle, search
from undoku.render.delivery.outputs import context_of
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.mp4_direct import DirectStream
from undoku.render.write.sink import DIRECT, SinkContext

MAX_OFF = 20
"""The maximum difference of the luma of a pixel, 16..235, in a browser. Conversion, rounding and
clipped colours make some; a digit elsewhere makes a hundred."""

pytestmark = pytest.mark.skipif(bool(browser_pages.WHY_NOT), reason=browser_pages.WHY_NOT)

# With a codec, the film is fed piece by piece.
OPEN = """async ([content, codec]) => {
  window.once = (what, name) => new Promise((found, lost) => {
    what.addEventListener(name, found, {once: true});
    what.addEventListener("error", () => lost(new Error(name + " failed")), {once: true});
  });
  const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  window.film = document.createElement("video");
  film.muted = true;
  document.body.replaceChildren(film);
  const ready = once(film, "loadeddata");
  if (codec) {
    const source = new MediaSource();
    film.src = URL.createObjectURL(source);
    await once(source, "sourceopen");
    const buffer = source.addSourceBuffer(`video/mp4; codecs="${codec}"`);
    for (let at = 0; at < bytes.length; at += 5000) {
      buffer.appendBuffer(bytes.slice(at, at + 5000));
      await once(buffer, "updateend");
    }
    source.endOfStream();
  } else film.src = URL.createObjectURL(new Blob([bytes], {type: "video/mp4"}));
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


@dataclass
class Sought:
    """A film, whole and in fragments, whose pictures a browser shows."""

    whole: Path
    streamed: Path
    context: SinkContext
    places: int
    """The number of random pictures to show, besides the first, the last and the key frames."""


def small_film(folder: Path) -> Sought:
    """Boards, drawn frame by frame, four pictures a second."""
    context = sink_context(WIDTH, HEIGHT, Fraction(4))
    found = Sought(folder / "whole.mp4", folder / "stream.mp4", context, 10)
    write(found.whole, context, board_film(130))
    with found.streamed.open("wb") as file, DirectStream(file, context) as sink:
        for frame in board_film(130):
            sink.write(frame)
        sink.finish()
    return found


def real_film(folder: Path, size: str, fps: int, seconds: str) -> Sought:
    """A film with the panels that films have by default, fitted to a length."""
    traces = [search(parse_puzzle(MEDIUM.grid), name) for name in ("row-major", "mrv")]
    settings = {"size": size, "fps": fps, "duration": seconds, "pace": "even", "title_card": 0}
    film = Film(traces, settings_of({**settings, "key_interval": "0.5s"}))
    context = replace(context_of(film), encoder=DIRECT)
    found = Sought(folder / "whole.mp4", folder / "stream.mp4", context, 3)
    write(found.whole, context, film.frames())
    with found.streamed.open("wb") as file, DirectStream(file, context) as sink:
        for frame in film.frames():
            sink.write(frame)
        sink.finish()
    return found


def check_in_a_browser(film: Sought) -> None:
    """Chromium shows the right pictures of a file, of a stream in a file, and of a stream fed piece
    by piece."""
    settings, index = film.context.settings, film_index(film.whole)
    width, height, last = settings.width, settings.height, index.frames - 1
    random = np.random.default_rng(6)
    some = random.permutation(index.frames)[: film.places].tolist()
    decoded = decode(film.whole, film.context, "h264")[:, : width * height]
    codec = f"avc1.42C0{headers(film.whole)[0]['level_idc']:02X}"
    with browser_pages.opened_browser() as browser, browser_pages.opened_page(browser) as page:
        for path, way in ((film.whole, ""), (film.streamed, ""), (film.streamed, codec)):
            page.run(OPEN, [b64encode(path.read_bytes()).decode(), way])
            for number in (*some, *index.key_frames, last, 0):
                # Within the time of a picture, wherever.
                time = float((number + 0.04 + 0.88 * random.random()) / settings.fps)
                with Image.open(io.BytesIO(b64decode(page.run(SEEK, time)))) as picture:
                    luma = np.asarray(picture.convert("RGB")) @ np.array([0.2126, 0.7152, 0.0722])
                off = 16 + luma * 219 / 255 - decoded[number].reshape(height, width)
                assert np.abs(off).max() <= MAX_OFF, (path.name, way, number)
            *size, seconds = page.run(END)
            assert (*size, round(seconds * settings.fps)) == (width, height, index.frames)
        assert page.wrong == []


def test_a_browser_shows_the_picture_of_any_time(tmp_path: Path) -> None:
    check_in_a_browser(small_film(tmp_path))


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
    size: str, fps: int, seconds: str, tmp_path: Path
) -> None:
    check_in_a_browser(real_film(tmp_path, size, fps, seconds))
