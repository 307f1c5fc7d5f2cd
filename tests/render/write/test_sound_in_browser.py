"""Films with sound in a real browser, which decodes their sound, plays them and seeks in them."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support import browser_pages
from tests.support.heard_sound import RATE, heard, lag
from tests.support.puzzles import EASY
from undoku import search
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of

pytestmark = pytest.mark.skipif(bool(browser_pages.WHY_NOT), reason=browser_pages.WHY_NOT)

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
        "intro": "0.5s", "card": "0.5s", "title_card": 0, "sound": True,
        "encoder": encoder if name.endswith("mp4") else "auto",
    }  # fmt: skip
    write_film(Film([search(EASY.grid, "mrv")], settings_of(asked)), [path])
    return path


def test_a_browser_plays_and_seeks_in_a_film_with_sound(tmp_path: Path) -> None:
    """It plays sound, and what it decodes is the film's sound, at its time and in its length."""
    names = {"direct.mp4": "video/mp4", "x264.mp4": "video/mp4", "film.webm": "video/webm"}
    with browser_pages.opened_browser() as browser:
        for name, kind in names.items():
            path = written(tmp_path, name)
            with browser_pages.opened_page(browser) as opened:
                content = b64encode(path.read_bytes()).decode()
                reported = opened.run(WATCH, [content, kind])
                assert opened.wrong == []
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
