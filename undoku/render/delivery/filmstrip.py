"""A contact sheet: moments of the search in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from undoku.render.delivery.outputs import check_paths, context_of
from undoku.render.delivery.write import Report, write_picture
from undoku.render.draw.canvas import Frame, Rect
from undoku.render.draw.easel import Drawing, Easel
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import text_width
from undoku.render.draw.look import Look
from undoku.render.draw.run_draft import Draft
from undoku.render.draw.sprites import Align, SpriteBook
from undoku.render.film.film import Film
from undoku.render.film.transparency import without_background
from undoku.render.layout.contact_sheet_layout import arrange_contact_sheet
from undoku.render.layout.page import Layout
from undoku.render.panels.board import BoardPanel
from undoku.render.panels.legend import LegendPanel
from undoku.render.panels.panel import Moment, PanelContext, show
from undoku.render.panels.rings import RingPanel
from undoku.render.playback.history import History
from undoku.render.playback.player import Player, Snapshot
from undoku.render.playback.solution_recorder import Solutions
from undoku.render.settings.settings import as_still
from undoku.render.settings.table import option
from undoku.render.timeline.timeline import Phase, Shot, Timeline
from undoku.solver.trace.trace import Outcome
from undoku.texts import language
from undoku.texts import wording as say


def moments(timeline: Timeline, count: int) -> list[Shot]:
    """`count` states (1..100), spread evenly over the steps of each search in the race, including
    its start and its end; a single one is the end. There are fewer if a search does fewer steps, so
    that no two pictures of a search are equal."""
    bounds = [
        [min(total, int(step * scale)) for step in (timeline.first, timeline.last)]
        for total, scale in zip(timeline.totals, timeline.scales, strict=True)
    ]
    spans = [last - first for first, last in bounds]
    count = min(count, 1 + min(filter(None, spans), default=0))
    shares = [Fraction(number, count - 1) for number in range(count)] if count > 1 else [1]
    return [
        Shot(
            Phase.STILL,
            0,
            1,
            tuple(first + round(share * (last - first)) for first, last in bounds),
        )
        for share in shares
    ]


def filmstrip(film: Film, count: int) -> tuple[Frame, Drawing]:
    """The contact sheet of `count` moments, as pixels and as geometry; the searches run once.

    Raises SettingsError if there are too many to draw, or fewer than one.
    """
    option("filmstrip").check(count)
    film = film.with_settings(as_still(film.settings))
    if film.settings.transparent:
        (on_black, _), (on_white, drawing) = (
            filmstrip(one, count) for one in film.on_two_backgrounds
        )
        (frame,) = without_background([on_black], [on_white])
        return frame, drawing
    with film.typesetting.within():
        return _drawn(film, count)


def _drawn(film: Film, count: int) -> tuple[Frame, Drawing]:
    shots = moments(film.timeline, count)
    sizes = [Look(header.puzzle.problem).side for header in film.headers]
    layouts = arrange_contact_sheet(film.layout, sizes, len(shots))
    easel = Easel(film.settings.width, film.settings.height, film.theme)
    book = SpriteBook(film.theme)
    easel.fill(Rect(0, 0, easel.width, easel.height), film.theme.background)
    _draw_texts(easel, book, film, layouts)
    histories = [History(header.puzzle) for header in film.headers]
    solutions = [Solutions(header.puzzle) for header in film.headers]
    players = [
        Player(trace, [history, found], explained=False)
        for trace, history, found in zip(film.traces, histories, solutions, strict=True)
    ]
    script = replace(film.script, settings=replace(film.settings, last_state=True))
    if film.layout.legend:
        context = PanelContext(script, 0, film.layout.legend, histories[0], book)
        LegendPanel(context).start(easel)
    for layout, shot in zip(layouts, shots, strict=True):
        snapshots = [player.advance(step) for player, step in zip(players, shot.steps, strict=True)]
        moment = Moment(shot, film.timeline, snapshots)
        here = replace(script, layout=layout)
        for search, snapshot in enumerate(snapshots):
            block = layout.blocks[search]
            easel.fill(block.board, film.theme.line)
            context = PanelContext(
                here, search, block.board, histories[search], book, solutions[search]
            )
            board = BoardPanel(context)
            draft = Draft(book.index, board.most_rows)
            show([board, RingPanel(context)], easel, moment, draft)
            _draw_label(easel, book, film, block.status, snapshot)
    (frame,) = film.coloured(iter([easel.frame()]))
    return frame, easel.drawing()


def _draw_texts(easel: Easel, book: SpriteBook, film: Film, layouts: Sequence[Layout]) -> None:
    layout, theme, text = film.layout, film.theme, film.layout.text
    lines = [(film.title, Face.BOLD, text.title, theme.text, layout.title, Align.CENTRE)]
    for number, (name, block) in enumerate(zip(film.labels, layouts[0].blocks, strict=True)):
        ink = theme.search_colour(number) if len(film.labels) > 1 else theme.text
        lines.append((name, Face.BOLD, text.name, ink, block.name, Align.LEFT))
    if len(film.labels) == 1:  # other searches have other steps
        caption = say.MOMENTS(count=len(layouts), steps=say.STEPS(count=film.timeline.span))
        if len(layouts) > 2:
            caption = say.EVENLY_SPACED(moments=caption)
        lines.append((caption, Face.REGULAR, text.footer, theme.muted, layout.footer, Align.CENTRE))
    for line, face, size, ink, place, align in lines:
        if place:
            book.write(easel, (place.x, place.y), line, face, size, ink, place.width, align=align)


def _draw_label(easel: Easel, book: SpriteBook, film: Film, box: Rect, snapshot: Snapshot) -> None:
    """The step below a board, or how its search has ended."""
    size = film.layout.text.label
    texts: Sequence[str] = [say.STEP(step=snapshot.steps), language.number(snapshot.steps)]
    ink = film.theme.muted
    if snapshot.finished:
        texts = [*snapshot.status_texts[:-1], language.number(snapshot.steps)]
        ink = film.theme.accent if snapshot.outcome is Outcome.SOLVED else film.theme.undoing
    text = next((t for t in texts if text_width(t, Face.REGULAR, size) <= box.width), texts[-1])
    book.write(
        easel,
        (box.x, box.y),
        text,
        Face.REGULAR,
        size,
        ink,
        box.width,
        height=box.height,
        align=Align.CENTRE,
    )


def write_filmstrip(
    film: Film, count: int, paths: Sequence[Path], *, overwrite: bool = False
) -> Report:
    """Write the contact sheet of `count` moments in every format that `paths` ask for.

    Raises SettingsError for formats of films or if the moments can't be drawn, OutputError if a
    file can't be written; then none of them has appeared.
    """
    check_paths(paths, still=True)
    context = context_of(film, filmstrip=count)
    return write_picture(film, filmstrip(film, count), paths, overwrite=overwrite, context=context)
