"""A film whose picture is laid out anew on the way: acts, each a scene of its own, on one canvas.

Between two acts the boards move from their old places to the new ones, eased, while everything else
fades over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from render.drawing.canvas import Canvas, Frame, Pixels, Rect
from render.drawing.easel import Easel
from render.drawing.sprites import SpriteBook
from render.panels.script import Script
from render.playback.player import Player, Recorder, Snapshot
from render.scene.scene import Scene
from render.timing.easing import eased
from render.timing.timeline import Phase, Shot
from solver.trace import Trace

__all__ = ["Act", "Acts"]


@dataclass(frozen=True, slots=True)
class Act:
    """A layout of the film's picture, in its `script`, from frame `start` on; the first `moving`
    frames lead over from the act before."""

    script: Script
    start: int = 0
    moving: int = 0


class Acts:
    """Draws the shots of a film of one or more acts, the first of which starts on frame 0."""

    def __init__(self, acts: Sequence[Act], easel: Easel | None = None) -> None:
        script = acts[0].script
        layout = script.layout
        self.canvas = easel or Canvas(layout.width, layout.height)
        self.sprites = easel.book if easel else SpriteBook(script.theme)
        self.timeline = script.timeline
        self._acts = acts
        # A single picture is of the first act.
        shown = acts[:1] if easel else acts
        self._scenes = [Scene(shown[0].script, easel, canvas=self.canvas, sprites=self.sprites)]
        self._scenes += [
            Scene(act.script, canvas=self.canvas, sprites=self.sprites) for act in shown[1:]
        ]
        self._whole = Rect(0, 0, layout.width, layout.height)
        self._ground = script.theme.ground
        self._current: int | None = None
        self._before: Pixels | None = None
        self._after: Pixels | None = None

    def players(self, traces: Sequence[Trace]) -> list[Player]:
        """Who bring the searches to each shot; what the acts remember sees every event."""
        return [Player(trace, self._recorders(number)) for number, trace in enumerate(traces)]

    def _recorders(self, number: int) -> list[Recorder]:
        return [each for scene in self._scenes for each in scene.recorders(number)]

    def scene_of(self, frame: int) -> Scene | None:
        """The scene that is on the canvas and stays there on `frame`; None where that frame begins
        an act, or is one in which boards move."""
        number = self._number(frame)
        if number != self._current or frame < self._acts[number].start + self._acts[number].moving:
            return None
        return self._scenes[number]

    def later_recorders(self, scene: Scene, number: int) -> list[Recorder]:
        """What else must see the events of a search while `scene` is drawn."""
        own = {id(each) for each in scene.recorders(number)}
        return [each for each in self._recorders(number) if id(each) not in own]

    def until(self, frame: int) -> int:
        """The first frame of the act after the one that `frame` is in."""
        number = self._number(frame) + 1
        return self._acts[number].start if number < len(self._scenes) else self.timeline.frames

    def _number(self, frame: int) -> int:
        """The act of a frame."""
        starts = [act.start for act in self._acts[: len(self._scenes)]]
        return max(0, bisect_right(starts, frame) - 1)

    def play(self, traces: Sequence[Trace], shots: Iterable[Shot]) -> Iterator[Frame]:
        """The frames of `shots`, which must come in the film's order; the first is whole."""
        players = self.players(traces)
        for shot in shots:
            now = zip(players, shot.steps, strict=True)
            yield self.draw(shot, [player.advance(step) for player, step in now])

    def draw(self, shot: Shot, snapshots: Sequence[Snapshot]) -> Frame:
        """The picture of `shot`, given the searches as they stand in it."""
        still = shot.phase is Phase.STILL
        number = 0 if still else self._number(shot.start)
        act, scene = self._acts[number], self._scenes[number]
        moving = not still and shot.start < act.start + act.moving
        if number != self._current:
            self._change(number, shot, snapshots, moving=moving)
        elif not moving:
            self._arrive()
            scene.paint(shot, snapshots)
        if moving:
            self._move(number, (shot.start - act.start + 1) / act.moving)
        return self.canvas.frame(shot.ticks)

    def _change(
        self, number: int, shot: Shot, snapshots: Sequence[Snapshot], *, moving: bool
    ) -> None:
        """Draw the first picture of an act, and keep the one before it where boards move."""
        if moving:
            if self._current != number - 1:
                self._clear()
                self._scenes[number - 1].paint(shot, snapshots)
            self._before = self.canvas.pixels.copy()
        self._clear()
        self._scenes[number].paint(shot, snapshots)
        self._current = number
        if moving:
            self._after = self.canvas.pixels.copy()

    def _clear(self) -> None:
        self.canvas.fill(self._whole, self._ground)

    def _arrive(self) -> None:
        """End the way from one act to the next, also where its last frame is not drawn."""
        if self._after is not None:
            self.canvas.pixels[:] = self._after
            self.canvas.touch(self._whole)
        self._before = self._after = None

    def _move(self, number: int, share: float) -> None:
        """The picture on the way from one act to the next, after `share` of the way, 0..1."""
        assert self._before is not None
        assert self._after is not None
        pixels = self.canvas.pixels
        self.canvas.touch(self._whole)
        if share >= 1:
            self._arrive()
            return
        way = eased(share)
        old = [block.board for block in self._acts[number - 1].script.layout.blocks]
        new = [block.board for block in self._acts[number].script.layout.blocks]
        pixels[:] = _mixed(
            _without(self._before, old, self._ground),
            _without(self._after, new, self._ground),
            way,
        )
        # Boards that shrink move below one that grows.
        for start, end in sorted(zip(old, new, strict=True), key=lambda pair: pair[1].width):
            large, place = (self._before, start) if start.width > end.width else (self._after, end)
            picture = large[place.y : place.bottom, place.x : place.right]
            _put(pixels, picture, _between(start, end, way))


def _without(pixels: Pixels, boards: Sequence[Rect], ground: tuple[int, int, int]) -> Pixels:
    """A picture without its boards."""
    found = pixels.copy()
    for board in boards:
        found[board.y - 4 : board.bottom + 4, board.x - 4 : board.right + 4] = ground
    return found


def _mixed(before: Pixels, after: Pixels, share: float) -> Pixels:
    """A picture so far on its way to another, in integers: the same on every machine."""
    weight = round(256 * share)
    mixed = before.astype(np.uint16) * (256 - weight) + after.astype(np.uint16) * weight
    return (mixed >> 8).astype(np.uint8)


def _between(start: Rect, end: Rect, share: float) -> Rect:
    return Rect(*(round(a + (b - a) * share) for a, b in zip(start, end, strict=True)))


def _put(pixels: Pixels, picture: Pixels, place: Rect) -> None:
    """Lay a picture, made smaller or larger, on its place."""
    size = (max(1, place.width), max(1, place.height))
    scaled = Image.fromarray(np.ascontiguousarray(picture)).resize(size, Image.Resampling.BOX)
    pixels[place.y : place.y + size[1], place.x : place.x + size[0]] = np.asarray(scaled)
