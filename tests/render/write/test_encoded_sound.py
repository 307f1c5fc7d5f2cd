"""Films with sound, decoded: every container has the same sound at the same time."""

from __future__ import annotations

import re
import struct
import wave
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.amounts import long
from tests.support.command import Undoku
from tests.support.decoding import film_index
from tests.support.heard_sound import heard, lag, measured, onsets
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import no_thread_left
from undoku import search
from undoku.errors import EncoderError, InputError, OutputError, SettingsError
from undoku.render.delivery.film_sound import soundtrack_of, tracks_with_sound
from undoku.render.delivery.write import write_film
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.sound.sample_clock import RATE, sample_of
from undoku.render.write import ffmpeg, mp4_direct
from undoku.render.write.soundtrack import SoundStoppedError

SMALL = {"size": "320x160", "panels": "board", "fps": "15000/1001", "card": "1s", "to_step": 16}
EVEN = {"pace": "even", "steps_per_second": 5}
KINDS = ("wav", "direct.mp4", "x264.mp4", "webm", "mov")


def film(**given: object) -> Film:
    names = ("row-major", "mrv")
    return Film([search(EASY.grid, name) for name in names], settings_of({**SMALL, **given}))


def written(folder: Path, kind: str, **given: object) -> Path:
    encoder = kind.partition(".")[0]
    asked = {**EVEN, "sound": True, **given}
    if encoder in ("direct", "x264"):
        asked["encoder"] = encoder
    path = folder / (kind if "." in kind else f"film.{kind}")
    write_film(film(**asked), [path])
    return path


def sound_packets(path: Path) -> list[tuple[int, int, float]]:
    """The offset, the bytes and the time of each packet of sound, as PyAV finds them."""
    av = pytest.importorskip("av", reason="needs PyAV")
    with av.open(str(path)) as container:
        packets = container.demux(container.streams.audio[0])
        return [(one.pos, one.size, float(one.pts * one.time_base)) for one in packets if one.size]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("heard")
    return {kind: written(folder, kind) for kind in KINDS}


@pytest.fixture(scope="module")
def played() -> NDArray[np.float32]:
    """The sound of `files` before it is encoded."""
    track = soundtrack_of(film(**EVEN, sound=True))
    assert track is not None
    return np.concatenate([block.mix for block in track.blocks()])


@pytest.mark.parametrize("kind", [long(kind) if kind == "x264.mp4" else kind for kind in KINDS])
def test_every_container_holds_the_same_sound_at_the_same_time(
    files: dict[str, Path], played: NDArray[np.float32], kind: str
) -> None:
    """That of the soundtrack, to the sample, in WebM to half a millisecond: the codec's delay is
    removed as the file specifies; and as loud as it should be, as ffmpeg's ebur128 measures it."""
    right, found = played, heard(files[kind])
    length = int(film(**EVEN, sound=True).timeline.duration * RATE)
    assert len(right) == length
    assert 0 <= len(found) - length <= 1024
    found = found[:length]
    # WebM counts in milliseconds, the others in samples.
    assert abs(lag(right, found)) <= (RATE // 2000 if kind == "webm" else 0)
    alike = (right * found).sum() / np.sqrt((right**2).sum() * (found**2).sum())
    assert alike > 0.99
    loudness = measured(files[kind])
    assert loudness.integrated == pytest.approx(-16, abs=1)
    assert loudness.true_peak <= -1


def test_slow_passages_are_not_much_softer_than_fast_ones(tmp_path: Path) -> None:
    """The loudness range is that of a broadcast, in long films, whose passages differ most."""
    traces = [search(HARD.grid, strategy) for strategy in ("row-major", "mrv")]
    made = Film(traces, settings_of({"sound": True, "duration": "20s"}))
    write_film(made, [tmp_path / "film.wav"])
    assert measured(tmp_path / "film.wav").range <= 12


def test_laps_tick_where_their_board_is(tmp_path: Path) -> None:
    """In a mix without all other sounds; one tick for each lap that is counted, from the place of
    the board."""
    mix = tmp_path / "mix.toml"
    silent = ("place", "undo", "collapse", "texture", "end")
    mix.write_text("".join(f"[{name}]\nvolume = -60\n" for name in silent))
    traces = [search(MEDIUM.grid, strategy) for strategy in ("row-major", "mrv")]
    shares = {}
    for size in ("640x360", "360x640"):
        settings = {"sound": str(mix), "size": size, "excerpt": "laps"}
        made = Film(traces, settings_of({**settings, "duration": "40s"}))
        write_film(made, [tmp_path / f"{size}.wav"])
        samples = heard(tmp_path / f"{size}.wav").astype(np.float64)
        laps = made.tallies[0].steps // made.tallies[1].steps
        ticks = onsets(samples.astype(np.float32))
        assert laps - 2 <= len(ticks) <= laps
        left, right = (samples[RATE:] ** 2).sum(axis=0)
        shares[size] = (right - left) / (left + right)
    assert shares["640x360"] == pytest.approx(np.sin(-0.55 * np.pi / 2), abs=0.05)
    assert shares["360x640"] == pytest.approx(0, abs=0.02)


def test_two_runs_write_the_same_bytes(files: dict[str, Path], tmp_path: Path) -> None:
    again = written(tmp_path, "direct.mp4")
    assert again.read_bytes() == files["direct.mp4"].read_bytes()


def test_the_sound_is_interleaved_with_the_pictures(files: dict[str, Path]) -> None:
    """A player never has to look further than a second of pictures for its sound; nothing lies
    between the packets."""
    path = files["direct.mp4"]
    pictures, sound = film_index(path), sound_packets(path)
    assert pictures.index_first
    lengths = np.array(pictures.durations, float)
    begun = np.cumsum(lengths) - lengths
    order = sorted(
        [(place, time) for place, time in zip(pictures.places, begun, strict=True)]
        + [(place, time) for place, _, time in sound]
    )
    latest = -1.0
    for _, time in order:
        assert time >= latest - 1.1
        latest = max(latest, time)
    ends = [*zip(pictures.places, pictures.sizes, strict=True)]
    ends += [(place, size) for place, size, _ in sound]
    for (place, size), (after, _) in pairwise(sorted(ends)):
        assert place + size == after
    assert sum(max(ends)) == path.stat().st_size


def test_a_track_that_is_added_later_gets_a_new_number(files: dict[str, Path]) -> None:
    content = files["direct.mp4"].read_bytes()
    found = [match.start() + 16 for match in re.finditer(b"tkhd", content)]
    tracks = [struct.unpack_from(">I", content, at)[0] for at in found]
    following = struct.unpack_from(">I", content, content.index(b"mvhd") + 100)[0]
    assert following == max(tracks) + 1


def test_a_film_without_sound_is_the_same_film_without_a_track(
    files: dict[str, Path], tmp_path: Path
) -> None:
    for kind in ("direct.mp4", "x264.mp4"):
        plain = film_index(written(tmp_path, kind, sound=None))
        loud = film_index(files[kind])
        assert (plain.sound, loud.sound) == ("", "aac")
        assert plain.sizes == loud.sizes
        assert plain.durations == loud.durations


@pytest.mark.parametrize("kind", ["direct.mp4", "x264.mp4"])
def test_other_decoders_hear_it_from_any_point_on(files: dict[str, Path], kind: str) -> None:
    av = pytest.importorskip("av", reason="needs PyAV")
    right = heard(files[kind])
    with av.open(str(files[kind])) as container:
        stream = container.streams.audio[0]
        assert (stream.rate, stream.codec_context.channels) == (RATE, 2)
        container.seek(3 * RATE, stream=stream)
        frame = next(container.decode(stream))
        frame = next(container.decode(stream))  # the first after a seek lacks the one before
        at = round(frame.pts * stream.time_base * RATE)
        assert 2 * RATE < at < 4 * RATE
        assert np.abs(frame.to_ndarray().T - right[at : at + 1024]).max() < 0.02


def test_a_sound_that_fails_is_reported_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made beside the pictures; the error is raised where its file is requested."""
    false = tmp_path / "ffmpeg"
    false.write_text("#!/bin/sh\necho no sound today >&2\nexit 1\n")
    false.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "executable", lambda: str(false))
    films = tmp_path / "films"
    films.mkdir()
    with no_thread_left(), pytest.raises(EncoderError, match="no sound today"):
        written(films, "direct.mp4")
    assert not list(films.iterdir())


def test_a_film_whose_sound_cannot_be_added_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mp4_direct, "movie_clock", lambda fps: ["-no-such-option", str(fps)])
    with pytest.raises(EncoderError, match="no-such-option"):
        written(tmp_path, "direct.mp4")
    assert not list(tmp_path.iterdir())


def test_a_film_that_is_aborted_stops_its_sound(tmp_path: Path) -> None:
    """At once, at any point: the remaining hours are not made first."""
    long = film(**EVEN, sound=True, intro="3h")
    with (
        no_thread_left(),
        pytest.raises(KeyboardInterrupt),
        tracks_with_sound(long, [tmp_path / "a.mp4"]),
    ):
        raise KeyboardInterrupt
    soundtrack = soundtrack_of(long)
    assert soundtrack is not None
    soundtrack.stop()
    with pytest.raises(SoundStoppedError):
        next(soundtrack.blocks())


def test_stems_are_what_each_search_has_in_the_sound(tmp_path: Path) -> None:
    """Their names have the letters of every script."""
    made = film(**EVEN, sound=True, labels=("für Zeilen", "שורות ÷ a/b"))
    path, stems = tmp_path / "film.wav", tmp_path / "new" / "stems"
    write_film(made, [path], stems=stems)
    names = sorted(one.name for one in stems.iterdir())
    assert names == ["1-für-zeilen.wav", "2-שורות-a-b.wav"]
    summed = sum(heard(stems / name).astype(np.float64) for name in names)
    assert np.abs(summed - heard(path)).max() <= 3 / 32768


def test_a_run_that_ends_early_leaves_no_folder_of_stems(tmp_path: Path) -> None:
    (tmp_path / "film.wav").write_text("precious")
    stems = tmp_path / "new" / "stems"

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(OutputError):
        write_film(film(**EVEN, sound=True), [tmp_path / "film.wav"], stems=stems)
    with pytest.raises(KeyboardInterrupt):
        write_film(
            film(**EVEN, sound=True), [tmp_path / "b.mp4"], stems=stems, progress=interrupted
        )
    assert [one.name for one in tmp_path.iterdir()] == ["film.wav"]


def voice(path: Path, seconds: float, speaks: tuple[float, float]) -> Path:
    """A recording with speech from one time to another: noise without the frequencies that AAC
    leaves out."""
    time = np.arange(int(seconds * RATE)) / RATE
    noise = np.random.default_rng(1).normal(0, 0.3, len(time))
    noise = np.convolve(noise, np.full(10, 0.1), "same")
    noise[(time < speaks[0]) | (time >= speaks[1])] = 0
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes((noise * 32767).clip(-32767, 32767).astype("<i2").tobytes())
    return path


def test_a_voice_is_heard_where_it_speaks(tmp_path: Path) -> None:
    """Over the search, or without it."""
    take = voice(tmp_path / "take.wav", 5, (2, 4))
    path = written(tmp_path, "direct.mp4", sound=None, voice=str(take))
    samples = heard(path)
    level = np.sqrt((samples[: 5 * RATE] ** 2).reshape(-1, RATE // 4, 2).mean(axis=(1, 2)))
    assert (level[8:16] > 0.05).all()
    assert (level[[*range(7), 17, 18]] < 1e-3).all()
    both = written(tmp_path, "wav", voice=str(take))
    assert measured(both).integrated == pytest.approx(-16, abs=1)
    assert measured(both).true_peak <= -1


@pytest.mark.parametrize(
    ("seconds", "speaks", "message"),
    [
        (12, (2, 11.5), r"is longer \(11\.50 s\) than the film"),
        (3, (0, 0), "there is no sound"),
        (1, (0, 1), "is not a sound file"),
    ],
)
def test_a_voice_that_outlasts_the_film_or_says_nothing_is_refused(
    tmp_path: Path, seconds: int, speaks: tuple[float, float], message: str
) -> None:
    take = voice(tmp_path / "take.wav", seconds, speaks)
    if "not a sound file" in message:
        take.write_text("no sound")
    with pytest.raises((InputError, SettingsError), match=message):
        written(tmp_path, "direct.mp4", voice=str(take))
    assert list(tmp_path.iterdir()) == [take]


def test_a_picture_that_plays_by_itself_has_no_sound(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="can't contain sound: GIF has none"):
        write_film(film(sound=True), [tmp_path / "film.gif"])


def test_the_command_says_that_there_is_sound(undoku: Undoku, tmp_path: Path) -> None:
    done = undoku(
        *("render", "--sound", EASY.grid, "-s", "mrv", "--size", "160x160", "--pace", "even"),
        *("--fps", "10", "--to-step", "16", "--encoder", "direct", "-v", "-o", "a.mp4"),
        *("--stems", "parts"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "with sound: -16." in done.stderr
    assert [one.name for one in (tmp_path / "parts").iterdir()] == ["1-fewest-options-first.wav"]
    again = undoku("render", "--again", "a.mp4", "-o", "b.mp4", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert np.array_equal(heard(tmp_path / "a.mp4"), heard(tmp_path / "b.mp4"))


def test_a_film_to_standard_output_has_its_sound(undoku: Undoku, tmp_path: Path) -> None:
    words = f"render {EASY.grid} -s mrv --size 160x160 --sound --every 6 --encoder direct"
    done = undoku(*words.split(), "-o", "-", cwd=tmp_path, code=0)
    (tmp_path / "a.mp4").write_bytes(done.content)
    assert onsets(heard(tmp_path / "a.mp4"))


def test_a_batch_has_sound_too(undoku: Undoku, tmp_path: Path) -> None:
    """With a mix that lies beside its manifest."""
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "mix.toml").write_text('scale = "pentatonic"')
    (beside / "films.toml").write_text(
        f"""
[defaults]
size = "160x160"
fps = 10
pace = "even"
duration = "4s"
sound = "mix.toml"
encoder = "direct"

[[jobs]]
name = "{{strategies}}"
puzzles = "{MEDIUM.grid}"
strategies = ["mrv"]
formats = ["mp4", "wav"]
"""
    )
    done = undoku("batch", "beside/films.toml", "-o", "films", "-j0", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "films"
    found = [*folder.rglob("*.mp4"), *folder.rglob("*.wav")]
    assert len(found) == 2, list(folder.rglob("*"))
    for path in found:
        assert measured(path).integrated == pytest.approx(-16, abs=1)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["direct.mp4", "webm"])
def test_after_an_hour_sound_and_pictures_are_together(tmp_path: Path, kind: str) -> None:
    """Both have the same length, and the last sounds are on their frames."""
    path = written(tmp_path, kind, intro="60m", steps_per_second=5)
    timeline = film(**EVEN, intro="60m").timeline
    samples = heard(path)
    assert abs(Fraction(len(samples), RATE) - timeline.duration) <= 1 / timeline.fps
    skipped = 3600 * RATE
    right = [sample_of(timeline.frame_of(0, step), timeline.fps) for step in range(1, 17)]
    found = [at + skipped for at in onsets(samples[skipped : right[-1] + RATE // 20])]
    assert len(found) >= 13
    for at in found:
        assert min(abs(at - sample) for sample in right) <= RATE // 1000
