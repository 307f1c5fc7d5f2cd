"""Makes runs: as many frames of a race as all panels can describe.

The frame after a run is drawn by the scene, and runs continue after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from undoku.render.draw.canvas import Frame
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprite_index import MAX_WANTED
from undoku.render.draw.sprite_run import SpriteRun
from undoku.render.film.acts import Acts
from undoku.render.film.scene import Scene
from undoku.render.playback.next_frames import NextFrames
from undoku.render.playback.player import Player
from undoku.render.timeline.speed import steps_through
from undoku.render.timeline.timeline import Phase, Shot
from undoku.solver.trace.state import NEVER
from undoku.solver.trace.trace import Trace

MAX_FRAMES = 1024
"""The maximum number of frames of a run."""

_WINDOW = 4096
"""The maximum number of frames whose steps are computed at once."""

_BYTES = 8 << 20
"""The maximum number of bytes of new pictures in a run."""

_MIN_FRAMES = 16
"""The minimum number of frames of a run with such pictures."""


def frames_and_runs(acts: Acts, traces: Sequence[Trace], first: int) -> Iterator[Frame | SpriteRun]:
    """The film of these searches from frame `first` on, on which a picture begins: runs of its
    frames, and between them single frames that the acts draw. Each is valid until the next one is
    requested, and a run must have been played by then."""
    timeline = acts.timeline
    batchers: dict[int, Batcher] = {}
    players: Sequence[Player] = ()
    at, answers = first, None
    while at < timeline.frames:
        if acts.answers(at) is not answers:
            answers = acts.answers(at)
            players = acts.players(traces, answers=answers)
        scene = acts.scene_of(at)
        batcher = batchers.get(id(scene))
        if scene and not batcher:
            batcher = batchers[id(scene)] = Batcher(scene, players)
            batcher.drew(timeline.shot_at(max(0, at - 1)))
        if batcher and (run := batcher.run(at, acts.until(at))):
            yield run
            at += len(run)
            continue
        shot = timeline.shot_at(at)
        now = zip(players, shot.steps, strict=True)
        yield acts.draw(shot, [player.advance(step) for player, step in now])
        if batcher:
            batcher.drew(shot)
        at += shot.ticks


class Batcher:
    """Makes the runs of a scene."""

    def __init__(self, scene: Scene, players: Sequence[Player]) -> None:
        self._scene = scene
        self._timeline = scene.timeline
        self._players = players
        self._panels = scene.panels
        played = {id(each) for panel in scene.panels for each in panel.played}
        self._recorders = [
            [each for each in player.observers if id(each) not in played] for player in players
        ]
        """The recorders to which `put` does not pass the events of a run."""
        rows = max(1, sum(panel.most_rows for panel in scene.panels))
        new = max(1, sum(panel.new_bytes for panel in scene.panels))
        self._most = max(1, min(MAX_FRAMES, MAX_WANTED // rows, max(_MIN_FRAMES, _BYTES // new)))
        self._draft = Draft(scene.sprites.index, self._most * rows)
        self._begun = False
        self._steps = np.empty((len(players), 0), np.int64)
        self._elapsed = 0

    def drew(self, shot: Shot) -> None:
        """Record that the scene drew a shot."""
        self._begun |= shot.phase in (Phase.INTRO, Phase.RACE)

    def run(self, at: int, until: int = NEVER) -> SpriteRun | None:
        """The run that begins on frame `at` and ends before frame `until`, or None if that frame
        must be drawn."""
        elapsed = at - self._timeline.intro + 1
        if not self._begun or elapsed > self._timeline.race:
            return None
        steps = self._steps_from(elapsed) if elapsed > 0 else self._steps_of_intro(at)
        left = min(steps.shape[1], until - at)
        for number, (player, own) in enumerate(zip(self._players, steps, strict=True)):
            if not player.snapshot.finished:
                last = player.snapshot.steps
                if self._scene.is_lit(number):  # a run does not advance the others
                    available, _ = player.upcoming
                    last = min(player.snapshot.total - 1, available.first + len(available.cells))
                left = min(left, int(np.searchsorted(own, last, "right")))
        frames = NextFrames(self._timeline, at, steps[:, :left], self._players)
        for panel in self._panels:
            if not len(frames):
                return None
            frames = frames.first(min(len(frames), panel.reach(frames)))
        return self._made(frames) if len(frames) else None

    def _made(self, frames: NextFrames) -> SpriteRun:
        draft = self._draft
        index, sheet = draft.index, draft.index.sheet
        index.begin()
        draft.begin()
        spans = frames.last_spans
        for number, recorders in enumerate(self._recorders):
            rows, begun, ends, _ = frames.events(number)
            for recorder in recorders:
                recorder.record(rows, begun, int(ends[-1]))
        for panel in self._panels:
            panel.put(frames, draft)
        for player, span in zip(self._players, spans, strict=True):
            player.snapshot.span = span
        index.draw()
        first_new = sheet.count
        draft.take_new(sheet)
        placed = draft.placed.take(np.argsort(draft.frames, kind="stable"), axis=0)
        pictures = placed[:, 0]
        np.copyto(pictures, first_new - 1 - pictures, where=pictures < 0)
        first = np.zeros(len(frames) + 1, np.int64)
        np.cumsum(np.bincount(draft.frames, minlength=len(frames)), out=first[1:])
        return SpriteRun(self._scene.canvas.pixels, sheet, first, placed)

    def _steps_of_intro(self, at: int) -> NDArray[np.int64]:
        """(searches, n) int64: the steps after frame `at` of the intro and after each further frame
        that has a picture of its own."""
        shot = self._timeline.shot_at(at)
        beat = self._timeline.beat_at(at)
        frames = min(beat.end, self._timeline.intro) - at if beat and shot.ticks == 1 else 0
        return np.zeros((len(self._players), min(frames, self._most)), np.int64)

    def _steps_from(self, elapsed: int) -> NDArray[np.int64]:
        """(searches, n) int64: the steps after `elapsed` frames of the race and after each further
        frame; n is at least 1 and at most the greatest length of a run."""
        if not self._elapsed <= elapsed < self._elapsed + self._steps.shape[1]:
            frames = min(_WINDOW, self._timeline.race - elapsed + 1)
            found = steps_through(self._timeline, elapsed, frames)
            self._steps, self._elapsed = np.ascontiguousarray(found.T), elapsed
        begun = elapsed - self._elapsed
        return self._steps[:, begun : begun + self._most]
