"""The samples of a film's sound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.amounts import long
from tests.support.films import make_film
from tests.support.heard_sound import onsets
from tests.support.puzzles import EASY, HARD, MEDIUM
from tests.support.system import peak_of
from undoku import Limits, search
from undoku.errors import ReadError, SettingsError
from undoku.render.delivery.film_sound import accents_of, soundtrack_of
from undoku.render.film.film import Film
from undoku.render.settings.settings import FilmSettings, settings_of
from undoku.render.sound.ducking import SpokenTake
from undoku.render.sound.mix import DEFAULT_MIX, SCALES, Instrument, Mix, Pitch, SearchMix, load_mix
from undoku.render.sound.sample_clock import RATE, sample_of
from undoku.render.sound.score import AccentKind, Composition
from undoku.render.sound.timbres import TIMBRES, struck
from undoku.render.timeline.beats import BeatKind, first_beat
from undoku.render.timeline.timeline import Pace
from undoku.render.write.sound_samples import integrated_loudness
from undoku.render.write.soundtrack import Soundtrack

Samples = NDArray[np.float32]


def track_of(film: Film, mix: Mix | None = None) -> Soundtrack:
    return Soundtrack(Composition(film.traces, film.tallies, film.timeline), mix or Mix())


def samples_of(track: Soundtrack) -> Samples:
    return np.concatenate([block.mix for block in track.blocks()])


def story(*names: str) -> Film:
    return Film([search(MEDIUM.grid, name) for name in names], settings_of({"sound": True}))


def strongest(samples: Samples) -> float:
    """Hertz of the strongest tone."""
    window = np.hanning(len(samples))[:, None]
    spectrum = np.abs(np.fft.rfft(samples * window, 8 * len(samples), axis=0)).sum(axis=1)
    return float(np.argmax(spectrum) * RATE / (8 * len(samples)))


def tone(level: float, seconds: float, right: float = 1.0) -> Samples:
    wave = 10 ** (level / 20) * np.sin(2 * np.pi * 1000 * np.arange(int(seconds * RATE)) / RATE)
    return np.stack([wave, right * wave], 1).astype(np.float32)


@pytest.mark.parametrize(
    ("parts", "lufs"),
    [
        # EBU Tech 3341: 1 kHz in both channels at -23 dBFS is -23 LUFS; pauses count for nothing.
        ([tone(-23, 3)], -23.0),
        ([tone(-23, 3, right=0)], -26.0),
        ([tone(-36, 4), tone(-23, 12), np.zeros((8 * RATE, 2), np.float32)], -23.0),
        ([np.zeros((RATE, 2), np.float32)], -np.inf),
        ([], -np.inf),
    ],
    ids=["both", "left", "pauses", "silence", "nothing"],
)
def test_loudness_is_what_the_standard_says(parts: list[Samples], lufs: float) -> None:
    assert integrated_loudness(parts) == pytest.approx(lufs, abs=0.15)


@pytest.mark.parametrize("name", ["story", long("slow"), long("dense"), long("five")])
def test_any_film_is_as_loud_as_it_should_be_and_never_clips(name: str) -> None:
    even = {"pace": "even", "size": "640x360"}
    films = {
        "story": lambda: story("row-major", "mrv"),
        "slow": lambda: _film(("mrv",), EASY.grid, steps_per_second=3, **even),
        "dense": lambda: _film(("row-major", "mrv"), HARD.grid, duration="6s", **even),

        "five": lambda: _film(
            ("row-major", "mrv", "mrv+singles", "row-major/descending", "mrv+locked"),
            MEDIUM.grid, duration="8s", **even,
        ),
    }  # fmt: skip
    track = track_of(films[name]())
    samples = samples_of(track)
    assert track.loudness.integrated == pytest.approx(-16, abs=0.1)
    assert integrated_loudness([samples]) == pytest.approx(track.loudness.integrated, abs=0.2)
    assert np.abs(samples).max() <= 10 ** (-2 / 20)
    # A click is a jump: no tone of ours changes by so much from one sample to the next.
    assert np.abs(np.diff(samples, axis=0)).max() < 0.45


def _film(names: tuple[str, ...], grid: str, **given: object) -> Film:
    return Film([search(grid, name) for name in names], settings_of(given))


def test_pitch_follows_depth() -> None:
    """120 Hz + 1200 Hz times the square of the depth, for a place; an octave below for an undo."""
    film = make_film("mrv", puzzle=EASY.grid, pace=Pace(Fraction(1, 30)))
    track = track_of(film)
    samples = samples_of(track)
    cells = EASY.grid.count("0")
    (own,) = Composition(film.traces, film.tallies, film.timeline).score().searches
    for step in (5, 20, 40):
        at = int(own.notes.samples[step])
        found = strongest(samples[at : at + RATE // 3])
        assert found == pytest.approx(120 + 1200 * ((step + 1) / cells) ** 2, rel=0.02)


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_has_its_own_tones_and_rises_with_depth(scale: str) -> None:
    pitch = Pitch(scale=scale)
    hertz = pitch.hertz(np.linspace(0, 1, 400))
    assert (np.diff(hertz) >= 0).all()
    if scale != "free":
        tones = 12 * np.log2(hertz / pitch.root)
        assert np.abs(tones - np.rint(tones)).max() < 1e-6
        assert {round(tone) % 12 for tone in tones} <= set(SCALES[scale])
        free = Pitch().hertz(np.linspace(0, 1, 400))
        assert np.abs(12 * np.log2(hertz / free)).max() <= 1.5 + 1e-6


@pytest.mark.parametrize("timbre", TIMBRES)
@pytest.mark.parametrize("hertz", [60.0, 440.0, 1320.0, 5000.0])
def test_a_tone_begins_and_ends_at_nothing(timbre: str, hertz: float) -> None:
    tone = struck(timbre, hertz, 0.05)
    assert abs(tone[0]) < 0.01 and abs(tone[-1]) < 0.001
    assert np.abs(tone).max() <= 1.7


def lateness(film: Film, first: int, last: int) -> list[float]:
    """How much louder each search is on the right than on the left, -1 to 1, from frame `first` to
    frame `last`."""
    track = soundtrack_of(film)
    assert track
    blocks = list(track.blocks(stems=True))
    found = []
    for number in range(len(film.traces)):
        stem = np.concatenate([block.stems[number] for block in blocks])
        part = stem[slice(*(sample_of(frame, film.timeline.fps) for frame in (first, last)))]
        left, right = (part.astype(np.float64) ** 2).sum(axis=0)
        found.append((right - left) / (left + right))
    return found


def test_searches_are_heard_where_their_boards_are() -> None:
    """With constant power: a pan p turns power by p quarters of a circle."""
    film = _film(
        ("row-major", "mrv", "mrv+singles"), MEDIUM.grid, pace="even", duration="8s", sound=True
    )
    places = [
        2 * (block.board.x + block.board.width / 2) / film.settings.width - 1
        for block in film.layout.blocks
    ]
    heard = lateness(film, 0, film.timeline.frames)
    assert heard == pytest.approx(np.sin(np.array(places) * np.pi / 2).tolist(), abs=0.01)
    assert heard[0] < -0.5 and heard[2] > 0.5


def test_the_sound_of_a_search_follows_its_board() -> None:
    """In a square picture the large board changes its place."""
    film = _film(("row-major", "mrv"), MEDIUM.grid, size="720x720", sound=True)
    places = dict(film.board_places)
    beat = first_beat(film.timeline.beats, BeatKind.LAPS)
    assert beat and len(set(places.values())) > 1
    arrived = beat.start + round(film.timeline.fps * 3 / 5)
    heard = lateness(film, arrived, beat.end)
    assert heard[0] == pytest.approx(np.sin(places[beat.start][0] * np.pi / 2), abs=0.02)


def test_the_answer_is_heard_before_the_searches_begin_again() -> None:
    film = story("row-major", "mrv")
    answer = film.timeline.answer
    assert answer
    score = Composition(film.traces, film.tallies, film.timeline).score()
    assert score.answer
    for number, own in enumerate(score.answer.searches):
        assert own.end
        frame = answer.frame_of(number, film.tallies[number].steps)
        assert own.end[0] == sample_of(frame, film.timeline.fps)
    samples = samples_of(track_of(film))
    begin, end, again = (
        sample_of(frame, film.timeline.fps)
        for frame in (answer.intro, answer.intro + answer.race, film.timeline.intro + 1)
    )
    loud = np.abs(samples[begin:end]).max()
    assert not samples[:begin].any()
    assert loud > 0.1 and np.abs(samples[again - RATE // 4 : again]).max() < loud / 10


def test_mistakes_laps_and_the_bars_of_the_card_have_sounds_of_their_own() -> None:
    film = story("row-major", "mrv")
    timeline, accents = film.timeline, accents_of(film)
    wrong = [note.start for note in film.notes if note.wrong]
    kinds = {kind: [one.frame for one in accents if one.kind is kind] for kind in AccentKind}
    assert kinds[AccentKind.BAD] == wrong and wrong
    assert not set(wrong) & set(kinds[AccentKind.GOOD])
    lap = film.tallies[1].steps
    ticks = kinds[AccentKind.TICK]
    assert len(ticks) > 8
    for frame in ticks:
        before, after = (timeline.shot_at(at).steps[0] // lap for at in (frame - 1, frame))
        assert after > before
    assert min(np.diff(ticks)) >= timeline.fps / 12
    score = Composition(film.traces, film.tallies, timeline, accents).score()
    card = sample_of(timeline.frames - timeline.card, timeline.fps)
    bars = [own.runs[-1] for own in score.searches]
    assert {bar.sample for bar in bars} == {card}
    assert [bar.end for bar in bars] == [1, film.tallies[1].steps / film.tallies[0].steps]


def test_nothing_is_heard_before_the_first_step_and_after_the_last_tone() -> None:
    film = make_film(
        "mrv", puzzle=EASY.grid, pace=Pace(Fraction(1, 4)), intro=Fraction(2), hold=Fraction(8)
    )
    samples = samples_of(track_of(film))
    first = sample_of(film.timeline.frame_of(0, 1), film.timeline.fps)
    assert not samples[: first + 1].any()
    assert samples[first + 1 : first + 50].any()
    assert not samples[-RATE:].any()


@pytest.mark.parametrize(
    "asked",
    [
        {"steps_per_second": 5, "fps": "30000/1001", "from_step": 20},
        {"duration": "14s", "ramp": True},
        pytest.param({"steps_per_second": 6, "intro": "15m"}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_sounds_begin_with_their_frames(asked: dict[str, object]) -> None:
    """Within a millisecond, where each can be told from the one before; after a quarter of an hour
    too."""
    film = Film([search(EASY.grid, "mrv")], settings_of({"pace": "even", **asked}))
    timeline = film.timeline
    steps = range(timeline.first + 1, timeline.last + 1)
    frames = {timeline.frame_of(0, step) for step in steps}
    right = [sample_of(frame, timeline.fps) for frame in sorted(frames)]
    track = track_of(film)
    skipped = max(0, right[0] // RATE - 1) * RATE
    parts, done = [], 0
    for block in track.blocks():
        if done >= skipped:
            parts.append(block.mix)
        else:
            assert not block.mix.any()
        done += len(block.mix)
    # The tones of the chord at the end follow the last step.
    found = [at + skipped for at in onsets(np.concatenate(parts)) if at + skipped < right[-1] + 100]
    assert len(found) >= len(right) // 2
    for at in found:
        assert min(abs(at - sample) for sample in right) <= RATE // 1000, at / RATE


def test_a_mix_changes_volumes_and_places() -> None:
    film = make_film("row-major", "mrv", limits=Limits(30), pace=Pace(Fraction(1, 8)))
    mix = Mix(searches=(SearchMix(-60.0), SearchMix(0.0, -1.0)))
    blocks = list(track_of(film, mix).blocks(stems=True))
    assert not any(block.stems[0].any() for block in blocks)
    assert any(block.stems[1][:, 0].any() for block in blocks)
    assert not any((np.abs(block.stems[1][:, 1]) > 1e-6).any() for block in blocks)
    silent = replace(mix, place=Instrument("bright", -60), undo=Instrument("soft", -60),
                     collapse=Instrument("wood", -60), end=Instrument("bell", -60))  # fmt: skip
    assert not samples_of(track_of(film, silent)).any()


def speech(begin: float, end: float, seconds: float) -> SpokenTake:
    """Noise that speaks from `begin` to `end`."""
    chance = np.random.default_rng(5).normal(0, 0.1, (int(seconds * RATE), 2)).astype(np.float32)
    time = np.arange(len(chance)) / RATE
    chance[(time < begin) | (time >= end)] = 0
    blocks = [chance[at : at + RATE] for at in range(0, len(chance), RATE)]
    return SpokenTake(lambda: iter(blocks), integrated_loudness(blocks))


def test_the_search_is_12_db_softer_under_a_voice() -> None:
    """From before its first word until some time after its last."""
    film = make_film("row-major", limits=Limits(3000), pace=Pace(duration=Fraction(12)))
    made = Composition(film.traces, film.tallies, film.timeline)
    take = speech(4, 8, 9)
    assert take.seconds == pytest.approx(8, abs=0.02)
    stem = np.concatenate([b.stems[0] for b in Soundtrack(made, Mix(), take).blocks(stems=True)])
    alone = np.concatenate([b.stems[0] for b in Soundtrack(made, Mix()).blocks(stems=True)])

    def ratio(begin: float, end: float) -> float:
        part = slice(int(begin * RATE), int(end * RATE))
        return 10 * float(np.log10((stem[part] ** 2).sum() / (alone[part] ** 2).sum()))

    before = ratio(2, 3.8)
    assert ratio(4, 8) - before == pytest.approx(-12, abs=0.6)
    assert ratio(9.4, 10.2) == pytest.approx(before, abs=0.6)


def test_memory_stays_flat() -> None:
    """Twelve seconds of a dense film take no more than a third of them."""

    def peak(seconds: int) -> int:
        settings = FilmSettings(pace=Pace(duration=Fraction(seconds)), fps=Fraction(5))
        film = Film([search(HARD.grid, "row-major")], settings)
        track = track_of(film)
        # The first block comes after all of the sound was measured.
        return peak_of(lambda: list(islice(track.blocks(), 3)))

    peak(12)  # tones that were made are kept, so many and no more
    assert peak(12) < peak(4) + 500_000


# A mix file changes what it names, and mistakes are reported with their line.


WHOLE = """
scale = "pentatonic"
root = 196
low = 100
high = 1000
width = 0.4

[place]
timbre = "wood"
volume = -3

[texture]
volume = -60

[[search]]
volume = -6

[[search]]
pan = 0.9
"""


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    path = tmp_path / "mix.toml"
    path.write_text(WHOLE)
    mix, usual = load_mix(str(path)), load_mix(DEFAULT_MIX)
    assert mix.pitch == Pitch(100, 1000, "pentatonic", 196)
    assert mix.width == 0.4
    assert mix.place == Instrument("wood", -3)
    assert mix.texture == Instrument(usual.texture.timbre, -60)
    assert mix.undo == usual.undo
    assert mix.searches == (SearchMix(-6), SearchMix(0, 0.9))
    assert mix.pan(0, -0.5) == -0.2
    assert mix.pan(1, -0.5) == 0.9


@pytest.mark.parametrize(
    ("text", "place", "sentence"),
    [
        ('scale = "blues"', "scale", "scale = 'blues' is not valid in a mix"),
        ("width = 2", "width", "width = 2 is not valid in a mix"),
        ("\nvolum = 3", "volum", "a mix has no 'volum'"),
        ("[place]\ntimbre = 4", "place.timbre", "timbre = 4 is not valid in a mix"),
        ("[place]\nvolume = 40", "place.volume", "volume = 40 is not valid in a mix"),
        ("[place]\npitch = 4", "place.pitch", "a mix has no 'pitch' in [place]"),
        ("place = 3", "place", "place = 3 is not valid in a mix"),
        (
            "[[search]]\n[[search]]\npan = true",
            "search[1].pan",
            "pan = true is not valid in a mix",
        ),
        ("[search]\npan = 1", "search", "search = a table is not valid in a mix"),
        ("high = 100", "high", "low = 120 is not below high = 100"),
        ("[place\n", "line 1, column 7", "it is not valid TOML"),
    ],
)
def test_a_mistake_is_reported_with_its_line(
    tmp_path: Path, text: str, place: str, sentence: str
) -> None:
    path = tmp_path / "mix.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as output:
        load_mix(str(path))
    assert place in str(output.value)
    assert sentence in str(output.value)
    assert "\n" not in output.value.message


def test_a_film_looks_at_its_mix_before_anything_is_searched(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="there is no file"):
        Film([search(EASY.grid, "mrv")], settings_of({"sound": str(tmp_path / "no.toml")}))
