"""Films written directly, in a real browser: wherever one seeks to, the picture of that time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from dataclasses import dataclass, field, replace
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.board_films import HEIGHT, WIDTH, board_film
from tests.support.direct_films import decode, write
from tests.support.direct_films import stream as mp4_stream
from tests.support.film_index import film_index
from tests.support.puzzles import MEDIUM
from tests.support.sink_contexts import sink_context
from tests.support.waiting import PATIENCE
from undoku import parse_puzzle, search
from undoku.render.delivery.plan import OutputPlan
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.write.mp4_direct import DirectSink, DirectStream
from undoku.render.write.sink import DIRECT, SinkContext
from undoku.render.write.staging import Staging

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
SHAPE = sink_context(WIDTH, HEIGHT, Fraction(4))
FRAMES = 130

MAX_OFF = 20
"""The maximum difference of the luma of a pixel, 16..235, in a browser. Conversion, rounding and
clipped colours make some; a digit elsewhere makes a hundred."""

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")

# Each film is sought in at random times and at its key frames, forwards and back; what the element
# shows is sent back as it is read from a canvas.
PAGE = """<!doctype html><meta charset="utf-8"><title>x</title><body>
<script>
const told = {films: [], error: ""};
const once = (what, name) => new Promise((found, lost) => {
  what.addEventListener(name, found, {once: true});
  what.addEventListener("error", () => lost(new Error(name + " failed")), {once: true});
});
async function fed(film, bytes) {
  const source = new MediaSource();
  film.src = URL.createObjectURL(source);
  await once(source, "sourceopen");
  const buffer = source.addSourceBuffer('video/mp4; codecs="CODEC"');
  for (let at = 0; at < bytes.length; at += 5000) {
    buffer.appendBuffer(bytes.slice(at, at + 5000));
    await once(buffer, "updateend");
  }
  source.endOfStream();
}
async function watch(name, times) {
  const film = document.createElement("video");
  film.muted = true;
  document.body.append(film);
  const bytes = new Uint8Array(await (await fetch(name)).arrayBuffer());
  const ready = once(film, "loadeddata");
  if (name.startsWith("fed")) await fed(film, bytes);
  else film.src = URL.createObjectURL(new Blob([bytes], {type: "video/mp4"}));
  await ready;
  const canvas = new OffscreenCanvas(film.videoWidth, film.videoHeight);
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  for (const time of times) {
    // The element says that it has sought before it shows what it found.
    const shown = new Promise(done => film.requestVideoFrameCallback(done));
    film.currentTime = time;
    await once(film, "seeked");
    await Promise.race([shown, new Promise(done => setTimeout(done, 1000))]);
    pen.drawImage(film, 0, 0);
    const seen = pen.getImageData(0, 0, canvas.width, canvas.height).data;
    await fetch(`seen?film=${name}&at=${time}`, {method: "POST", body: seen});
  }
  film.currentTime = film.duration - 1;
  film.playbackRate = 4;
  await film.play();
  await once(film, "ended");
  told.films.push([name, film.videoWidth, film.videoHeight, film.duration]);
  film.remove();
}
onload = async () => {
  try {
    for (const name of ["whole.mp4", "stream.mp4", "fed.mp4"]) await watch(name, TIMES);
  } catch (error) { told.error = String(error); }
  fetch("told", {method: "POST", body: JSON.stringify(told)});
};
</script>
"""


@dataclass
class Visit:
    """What the browser is given, and what it sent back."""

    files: dict[str, bytes]
    shape: SinkContext
    seen: dict[tuple[str, float], NDArray[np.uint8]] = field(default_factory=dict)
    reported: Queue[Any] = field(default_factory=Queue)


def served(visit: Visit) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = visit.files.get(self.path.lstrip("/"))
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            where = urlparse(self.path)
            if where.path == "/told":
                visit.reported.put(json.loads(content))
            else:
                asked = parse_qs(where.query)
                picture = np.frombuffer(content, np.uint8).reshape(
                    visit.shape.settings.height, visit.shape.settings.width, 4
                )
                visit.seen[asked["film"][0], float(asked["at"][0])] = picture
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


@dataclass
class Sought:
    """A film, whole and in fragments, whose pictures a browser shows."""

    whole: Path
    streamed: Path
    shape: SinkContext
    frames: int
    places: int
    """The number of random pictures to show, besides the first, the last and the key frames."""


def small_film(folder: Path) -> Sought:
    """Boards, drawn frame by frame, four pictures a second."""
    whole, streamed = folder / "whole.mp4", folder / "stream.mp4"
    write(whole, SHAPE, board_film(FRAMES))
    with streamed.open("wb") as file:
        sink = DirectStream(file, SHAPE)
        for frame in board_film(FRAMES):
            sink.write(frame)
        sink.finish()
    return Sought(whole, streamed, SHAPE, FRAMES, 10)


def real_film(folder: Path, size: str, fps: int, seconds: str) -> Sought:
    """A film with the panels that films have by default, fitted to a length."""
    traces = [search(parse_puzzle(MEDIUM.grid), name) for name in ("row-major", "mrv")]
    settings = {"size": size, "fps": fps, "duration": seconds, "pace": "even", "title_card": 0}
    film = Film(traces, settings_of({**settings, "key_interval": "0.5s"}))
    shape = replace(OutputPlan(film).context, encoder=DIRECT)
    whole, streamed = folder / "whole.mp4", folder / "stream.mp4"
    sinks = DirectSink(Staging(whole), shape), streamed.open("wb")
    with sinks[0] as sink, sinks[1] as file:
        stream = DirectStream(file, shape)
        for frame in film.frames():
            sink.write(frame)
            stream.write(frame)
        sink.finish()
        stream.finish()
    return Sought(whole, streamed, shape, film.timeline.frames, 3)


def pictures_in_a_browser(film: Sought, folder: Path) -> list[tuple[str, int, NDArray[np.float64]]]:
    """What Chromium shows of a file, of a stream in a file, and of a stream fed piece by piece: the
    name of each, the number of the picture, and the distance of its luma from the right one."""
    shape, fps = film.shape, film.shape.settings.fps
    index = film_index(film.whole)
    random = np.random.default_rng(6)
    last = film.frames - 1
    numbers = [*random.permutation(film.frames)[: film.places].tolist(), *index.key_frames, last, 0]
    # Within the time of a picture, wherever.
    times = {
        round(float((number + 0.04 + 0.88 * random.random()) / fps), 5): number
        for number in numbers
    }
    page = PAGE.replace("TIMES", json.dumps(list(times)))
    page = page.replace("CODEC", f"avc1.42C0{mp4_stream(film.whole).sequence.level:02X}")
    visit = Visit(
        {
            "page.html": page.encode(),
            "whole.mp4": film.whole.read_bytes(),
            "stream.mp4": film.streamed.read_bytes(),
            "fed.mp4": film.streamed.read_bytes(),
        },
        shape,
    )
    reported = answer_of_browser(visit, folder)
    assert reported["error"] == ""
    names = ["whole.mp4", "stream.mp4", "fed.mp4"]
    width, height = shape.settings.width, shape.settings.height
    lengths = {name: (*size, round(seconds * fps)) for name, *size, seconds in reported["films"]}
    assert lengths == dict.fromkeys(names, (width, height, film.frames))
    right = decode(film.whole, shape, "h264")[:, : width * height].reshape(-1, height, width)
    found = []
    for name in names:
        for time, number in times.items():
            luma = visit.seen[name, time][..., :3] @ np.array([0.2126, 0.7152, 0.0722])
            found.append((name, number, np.abs(16 + luma * 219 / 255 - right[number])))
    return found


def answer_of_browser(visit: Visit, folder: Path) -> Any:
    """What the page reports at its end."""
    server = served(visit)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = subprocess.Popen(
        [
            str(BROWSER), "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
            "--disable-dev-shm-usage", "--autoplay-policy=no-user-gesture-required",
            "--disable-background-networking", "--disable-component-update", "--no-first-run",
            "--force-color-profile=srgb", f"--user-data-dir={folder / 'profile'}",
            f"http://127.0.0.1:{server.server_port}/page.html",
        ],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        return visit.reported.get(timeout=PATIENCE)
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
        server.shutdown()
        server.server_close()


def test_a_browser_shows_the_picture_of_any_time(tmp_path: Path) -> None:
    """Of a file, of a stream in a file, and of a stream fed piece by piece."""
    for name, number, off in pictures_in_a_browser(small_film(tmp_path), tmp_path):
        assert off.max() <= MAX_OFF, (name, number)


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
    film = real_film(tmp_path, size, fps, seconds)
    for name, number, off in pictures_in_a_browser(film, tmp_path):
        assert off.max() <= MAX_OFF, (name, number)
