"""Films of single panels, in boxes of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tests.support.films import make_film
from tests.support.puzzles import MEDIUM
from undoku import Limits, Puzzle
from undoku.render.draw.canvas import Pixels, Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import LEVELS, text_mask
from undoku.render.film.batcher import Batcher
from undoku.render.film.film import Film
from undoku.render.film.scene import Scene
from undoku.render.panels.panel import Panel, PanelContext, Script
from undoku.render.playback.history import History
from undoku.render.playback.player import Player
from undoku.render.timeline.notes import Note
from undoku.render.timeline.timeline import Pace, Timeline

BOXES = {
    "bar": Rect(40, 20, 224, 12),
    "facts": Rect(20, 40, 264, 40),
    "doors": Rect(40, 100, 224, 50),
    "laps": Rect(320, 20, 280, 240),
}
"""The boxes of the panels of each search."""

LETTERS = 26
"""The size of all letters."""

Make = Callable[[PanelContext], Panel]


@dataclass(frozen=True)
class PanelFilm:
    """A film of the panel of search `number`, which `make` makes."""

    film: Film
    script: Script
    make: Make
    number: int
    box: Rect

    @property
    def timeline(self) -> Timeline:
        return self.script.timeline

    def scene(self) -> Scene:
        """A new scene, which has this panel alone."""
        scene = Scene(self.script)
        history = History(self.script.headers[self.number].puzzle)
        context = PanelContext(self.script, self.number, self.box, history, scene.sprites)
        scene.panels[:] = [self.make(context)]
        return scene

    def frames(self, scene: Scene | None = None) -> list[Pixels]:
        """The picture of each frame of the race, drawn one by one."""
        scene, players = scene or self.scene(), [Player(trace) for trace in self.film.traces]
        found = []
        for at in range(self.timeline.race):
            shot = self.timeline.shot_at(at)
            now = zip(players, shot.steps, strict=True)
            scene.paint(shot, [player.advance(step) for player, step in now])
            found.append(scene.canvas.pixels.copy())
        return found

    def frames_of_runs(self) -> tuple[list[Pixels], int]:
        """The same from runs that are as long as possible; and the number of frames drawn
        singly."""
        scene, players = self.scene(), [Player(trace) for trace in self.film.traces]
        batcher = Batcher(scene, players)
        found: list[Pixels] = []
        single = 0
        while len(found) < self.timeline.race:
            if run := batcher.run(len(found), self.timeline.race):
                found += [frame.pixels.copy() for frame in run.frames()]
                continue
            shot = self.script.timeline.shot_at(len(found))
            now = zip(players, shot.steps, strict=True)
            scene.paint(shot, [player.advance(step) for player, step in now])
            batcher.drew(shot)
            found.append(scene.canvas.pixels.copy())
            single += 1
        return found, single


def reads(part: Pixels, text: str, ink: Colour) -> bool:
    """Whether a part of a picture has this text, and no other in this colour, in bold letters of
    any size."""
    shown = _cut((part == ink).all(axis=2))
    # Letters are between half as high as their size and a third higher than it.
    for size in range(max(8, len(shown) * 3 // 4), 2 * len(shown) + 8):
        mask = _cut(text_mask(text, Face.BOLD, size) == LEVELS - 1)
        if mask.shape == shown.shape and mask.any() and (mask == shown).all():
            return True
    return False


def _cut(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The part of a mask that has all of its pixels."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if not len(rows):
        return mask[:0, :0]
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def panel_film(
    make: Make,
    *strategies: str,
    box: str = "bar",
    number: int = 0,
    puzzle: Puzzle | str = MEDIUM.grid,
    limits: Limits | None = None,
    boxes: dict[str, Rect] | None = None,
    notes: Sequence[Note] = (),
    seconds: Fraction = Fraction(4),
    theme: str = "dark",
    centred: bool = True,
) -> PanelFilm:
    """The film of a panel of search `number`, with 25 frames a second; texts are `centred` in their
    boxes."""
    film = make_film(
        *strategies,
        puzzle=puzzle,
        limits=limits,
        width=640,
        height=360,
        fps=Fraction(25),
        theme=theme,
        pace=Pace(duration=seconds),
        panels=("board",),
    )
    places = BOXES | (boxes or {})
    script = film.script
    text = script.layout.text._replace(sentence=LETTERS)
    blocks = tuple(replace(block, panels=places, centred=centred) for block in script.layout.blocks)
    layout = script.layout._replace(blocks=blocks, text=text)
    timeline = replace(film.timeline, intro=0, beats=())
    script = replace(script, layout=layout, timeline=timeline, notes=tuple(notes))
    return PanelFilm(film, script, make, number, places[box])
