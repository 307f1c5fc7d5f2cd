"""Which sound begins when, and where steps become a texture."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.films import make_film
from tests.support.puzzles import EASY, MEDIUM
from undoku import Limits, search
from undoku.render.film.film import Film
from undoku.render.settings.settings import settings_of
from undoku.render.sound.sample_clock import RATE, sample_of, samples_of
from undoku.render.sound.score import Composition, Score
from undoku.render.timeline.pace import Clock
from undoku.render.timeline.race_plan import plan
from undoku.render.timeline.timeline import Pace, Timeline
from undoku.solver.trace.recorded import MemoryTrace
from undoku.solver.trace.trace import Events, Trace

RATES = st.sampled_from(
    [Fraction(60), Fraction(30000, 1001), Fraction(24), Fraction(25), Fraction(10), Fraction(240)]
)


def score_of(film: Film) -> Score:
    return Composition(film.traces, film.tallies, film.timeline).score()


@given(RATES, st.integers(0, 24 * 3600 * 240))
def test_a_frame_s_sample_is_at_most_half_a_sample_beside_it(fps: Fraction, frame: int) -> None:
    """After a day, too: no errors accumulate."""
    assert abs(sample_of(frame, fps) - frame * RATE / fps) <= Fraction(1, 2)
    assert samples_of(frame, 3, fps).tolist() == [sample_of(frame + more, fps) for more in range(3)]


TRACES: tuple[Trace, ...] = tuple(
    search(MEDIUM.grid, name, Limits(60)) for name in ("row-major", "mrv")
)


@settings(max_examples=15)
@given(
    fps=RATES,
    clock=st.sampled_from([Clock.STEPS, Clock.FINISH]),
    rate=st.fractions(Fraction(1, 6), 20, max_denominator=20),
    first=st.integers(0, 40),
    ramp=st.booleans(),
    intro=st.fractions(0, 3, max_denominator=7),
)
def test_every_step_that_is_heard_begins_within_its_own_frame(
    fps: Fraction, clock: Clock, rate: Fraction, first: int, ramp: bool, intro: Fraction
) -> None:
    """The first of a frame with its first sample, through ramps, all clocks and parts of a race."""
    totals = [trace.tally().steps for trace in TRACES]
    pace = Pace(rate, ramp=ramp, first=first)
    timeline = plan(totals, fps, pace, clock=clock, intro=intro)
    found = Composition(TRACES, [trace.tally() for trace in TRACES], timeline).score()
    for number, own in enumerate(found.searches):
        heard = np.flatnonzero(own.density.notes > 0)
        shown = 0
        for frame in heard.tolist():
            before, after = (timeline.steps_at(frame + more)[number] for more in (0, 1))
            notes = own.notes.samples[own.notes.frames == frame].tolist()
            assert len(notes) == after - before
            start, end = (sample_of(timeline.intro + frame + more, fps) for more in (0, 1))
            if notes:
                assert notes[0] == start
                assert all(start <= sample < end for sample in notes)
            shown += len(notes)
        assert shown == len(own.notes.samples)


def test_steps_are_as_deep_as_the_board_is_filled() -> None:
    """An undo is as deep as the value that it takes back."""
    film = make_film("row-major", limits=Limits(300), pace=Pace(Fraction(1, 2)))
    (own,) = score_of(film).searches
    filled, depths = 0, []
    cells = MEDIUM.grid.count("0")
    for event in film.traces[0].read():
        undone = event["op"] == 2
        filled += -1 if undone else 1
        depths.append((filled + undone) / cells)
    assert own.notes.depths == pytest.approx(depths)
    undone, falling = own.notes.undone, own.notes.falling
    assert not (falling & ~undone).any()
    in_a_row = np.lib.stride_tricks.sliding_window_view(undone, 4).all(axis=1)
    assert all(falling[start : start + 4].all() for start in np.flatnonzero(in_a_row))


class Cut(MemoryTrace):
    """A trace in chunks of seven events."""

    def chunks(self) -> Iterator[Events]:
        for chunk in super().chunks():
            yield from (chunk[at : at + 7] for at in range(0, len(chunk), 7))


def test_highlights_do_not_depend_on_how_a_trace_is_cut_into_chunks() -> None:
    """A run of undos across two chunks is one."""
    whole = search(MEDIUM.grid, "row-major", Limits(2000))
    tally = whole.tally()
    timeline = plan([tally.steps], Fraction(60), Pace(duration=Fraction(12), ramp=True))
    (a,) = Composition([whole], [tally], timeline).score().searches
    cut = Cut(whole.header, whole.read(), tally.outcome)
    (b,) = Composition([cut], [tally], timeline).score().searches
    assert np.array_equal(a.notes.samples, b.notes.samples)
    assert np.array_equal(a.notes.falling, b.notes.falling)
    assert a.runs == b.runs
    assert np.array_equal(a.depths, b.depths)
    assert np.array_equal(a.spreads, b.spreads)


def test_an_end_that_the_film_does_not_show_is_not_heard() -> None:
    film = make_film("row-major", "mrv", puzzle=EASY.grid, pace=Pace(Fraction(1, 4), last=20))
    assert [own.end for own in score_of(film).searches] == [None, None]


def test_sixty_steps_a_second_are_on_the_border() -> None:
    for rate, notes in ((Fraction(40), True), (Fraction(120), False)):
        film = make_film("row-major", limits=Limits(200), pace=Pace(rate / 60))
        own = score_of(film).searches[0]
        assert bool((own.density.notes > 0).any()) is notes
        assert len(own.notes.samples) == (film.tallies[0].steps if notes else 0)


def test_nothing_is_heard_while_the_clock_is_stopped() -> None:
    """A story's stops have neither notes nor texture."""
    film = Film([search(MEDIUM.grid, "row-major")], settings_of({}))
    timeline: Timeline = film.timeline
    own = score_of(film).searches[0]
    done = [timeline.steps_at(number)[0] for number in range(timeline.race + 1)]
    frames = set(own.notes.frames.tolist())
    window = 3
    for frame, (before, after) in enumerate(pairwise(done)):
        if before == after:
            assert frame not in frames
            if done[max(0, frame - window)] == after:
                assert own.density.texture[frame] == 0
