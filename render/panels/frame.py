"""What frames the film: its title above, its clock and its progress below."""

from __future__ import annotations

from fractions import Fraction

from render.canvas import Canvas, Rect
from render.layout import Layout
from render.lettering import Face, text_width
from render.panels.contract import Moment, Panel
from render.sprites import Align, SpriteBook
from render.timeline import Clock, Phase, Timeline

__all__ = ["FramePanel", "clock_texts", "number_text"]


def number_text(number: Fraction) -> str:
    """A positive number as a person writes it: 12, 20.2, 1,209."""
    if number >= 100 or number.denominator == 1:
        return f"{round(number):,}"
    return f"{float(number):.3g}"


def clock_texts(timeline: Timeline) -> list[str]:
    """What the picture says of its clock and rate, the fullest text first."""
    rate = timeline.mean_rate
    if rate >= 1 or not rate:
        speed = f"{number_text(rate)} step{'s' * (rate != 1)} per frame"
    else:
        speed = f"{number_text(rate * timeline.fps)} steps per second"
    if timeline.ramp:
        speed = f"{speed} on average, slow at both ends"
    if len(timeline.totals) < 2:
        clock = ""
    elif timeline.clock is Clock.STEPS:
        clock = " in every panel"
    else:
        speed = speed.replace(" step", " steps of the longest", 1) if rate < 1 else speed
        clock = " in the longest; all finish together"
    frames = number_text(timeline.fps)
    return [
        f"{speed}{clock}, {frames} frames per second",
        f"{speed}{clock}",
        speed,
    ]


class FramePanel(Panel):
    """Title, clock and a bar that fills with the film."""

    def __init__(self, layout: Layout, title: str, sprites: SpriteBook) -> None:
        self._layout = layout
        self._title = title
        self._sprites = sprites
        self._filled: int | None = None

    def draw(self, canvas: Canvas, moment: Moment) -> None:
        theme, layout = self._sprites.theme, self._layout
        bar = layout.progress
        if self._filled is None:
            self._draw_texts(canvas, moment)
            canvas.fill(bar, theme.track)
            self._filled = 0
        shot, frames = moment.shot, moment.timeline.frames
        # A picture that stands fills the bar up to where it ends.
        filled = bar.width * (shot.start + shot.ticks) // max(1, frames)
        if filled > self._filled:
            canvas.fill(
                Rect(bar.x + self._filled, bar.y, filled - self._filled, bar.height), theme.accent
            )
            self._filled = filled

    def _draw_texts(self, canvas: Canvas, moment: Moment) -> None:
        theme, layout, sizes = self._sprites.theme, self._layout, self._layout.text
        if layout.title:
            sprite = self._sprites.text(
                self._title,
                Face.BOLD,
                sizes.title,
                theme.text,
                layout.title.width,
                align=Align.CENTRE,
            )
            canvas.blit(sprite, layout.title.x, layout.title.y)
        footer = layout.footer
        texts = clock_texts(moment.timeline)
        if moment.shot.phase is Phase.STILL:
            done, whole = max(moment.shot.steps), moment.timeline.longest
            texts = [f"step {done:,} of {whole:,}"]
        text = next(
            (t for t in texts if text_width(t, Face.REGULAR, sizes.footer) <= footer.width),
            texts[-1],
        )
        sprite = self._sprites.text(
            text, Face.REGULAR, sizes.footer, theme.muted, footer.width, align=Align.CENTRE
        )
        canvas.blit(sprite, footer.x, footer.y)
