"""The two pictures with the result: how much (the ratio), and at the end also why (the card). Each
is arranged in the largest letters with which all of it fits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import NamedTuple

from undoku.render.draw.canvas import Rect
from undoku.render.draw.colour_space import Colour
from undoku.render.draw.fonts import Face
from undoku.render.draw.lettering import glyph_box, line_height, text_width
from undoku.render.draw.line_breaks import SetText, balanced, largest_text, name_lines, wrapped
from undoku.render.panels.lap_tree import tree_rows
from undoku.render.panels.panel import Script
from undoku.render.playback.verdict import Verdict, named, verdict_of
from undoku.solver.trace.trace import Outcome
from undoku.texts import wording as say
from undoku.texts.language import number, spoken

_LEAST = 11
"""The smallest letters, in pixels per em."""

_ACROSS, _DOWN = 18, 13.5
"""The width and the height that are used, in the largest letters of names."""


class Style(NamedTuple):
    """The smallest and the largest size of a headline, in sizes of names, and its most lines."""

    least: float
    most: float
    lines: int = 2


_HEADLINE, _STATEMENT, _RATIO = Style(3 / 2, 9 / 4), Style(3 / 2, 12), Style(9 / 4, 12, 1)
"""The headline of the card, and those of the other picture: a statement, a ratio."""

_GAP, _WIDEST_GAP = 1 / 2, 2
"""The space between two parts, at least and at most, in sizes of names."""

_MANY = 4
"""From this number of bars with names on they are thin."""

_THICK, _THIN = (3 / 5, 1 / 6), 1 / 4
"""The heights of many bars, the second where there is little room, and of one without a name, in
sizes of letters."""

_READABLE = 0.975
"""The least size of letters, in sizes of those of sentences, before something is left out."""

_MOST_MOVING = 2
"""The most bars that move to their places."""

_THINNEST = 4
"""The minimum length in pixels of the bar of a search that took a step."""


class CardText(NamedTuple):
    """A line of text and its position."""

    text: str
    face: Face
    size: int
    ink: Colour
    x: int
    y: int
    background: Colour | None = None

    @property
    def box(self) -> Rect:
        """The rectangle of the line."""
        high = line_height(self.face, self.size)
        return Rect(self.x, self.y, text_width(self.text, self.face, self.size), high)


class CardBar(NamedTuple):
    """The bar of search number `search`: `rect` is its place, and `start` where it comes from. The
    share `warm` (0..1) of its length, from its beginning, has the colour of guesses."""

    search: int
    start: Rect
    rect: Rect
    warm: Fraction


class CardPlan(NamedTuple):
    """The `headline`, which is visible from the first picture on, the `bars`, and the other
    `texts`."""

    headline: tuple[CardText, ...]
    bars: tuple[CardBar, ...]
    texts: tuple[CardText, ...]


class CardRow(NamedTuple):
    """What a bar shows: its length relative to the longest one, the share of it that has the colour
    of guesses, its number, and a text about that share, "" for none."""

    search: int
    name: str
    length: Fraction
    number: str
    warm: Fraction = Fraction(0)
    cause: str = ""


class CardLine(NamedTuple):
    """A text on as many lines as it needs."""

    text: str
    face: Face
    ink: Colour


class CardTexts(NamedTuple):
    """What is said: a headline, `large` if it is a ratio, the line `below` it, "" for none, the
    `rows` with bars, and the sentences `answer` below them."""

    headline: str
    large: bool
    below: str
    rows: Sequence[CardRow]
    answer: Sequence[str] = ()


def ratio_texts(script: Script) -> CardTexts:
    """How many fewer steps, and a bar for the steps of each search, without texts for those that
    have no names yet. There are no bars for a tie or a single search."""
    verdict = verdict_of(script.headers, script.tallies)
    rows = _rows(script, verdict) if len(script.tallies) > 1 else []
    shown = named(script.tallies)
    rows = [row if row.search in shown else row._replace(name="", number="") for row in rows]
    if verdict.question and not rows:  # a single search was asked how many guesses it makes
        return CardTexts(verdict.question, False, say.RULE(rule=verdict.headline), rows)
    below = verdict.question or ("" if rows else verdict.reason)
    return CardTexts(verdict.large or verdict.headline, bool(verdict.large), below, rows)


def card_texts(script: Script) -> CardTexts:
    """How many fewer steps, a bar for the steps of each search, and why. A part of the first bar
    are the steps after wrong first digits (`Script.lost`). The bar of a single search are its
    digits, with the guesses among them."""
    verdict = verdict_of(script.headers, script.tallies)
    rows = _rows(script, verdict, lost=script.lost)
    if not rows:
        return CardTexts(verdict.headline, False, verdict.reason, rows)
    answer = [*filter(None, (*verdict.fact_and_cause, verdict.proof))]
    return CardTexts(verdict.headline, False, "", rows, answer)


def plan_ratio(script: Script) -> CardPlan:
    """The picture of `ratio_texts`, with the ratio as large as possible."""
    texts = ratio_texts(script)
    return planned(script, texts, _RATIO if texts.large else _STATEMENT)


def plan_card(script: Script) -> CardPlan:
    """The end card, with `card_texts`. Each bar comes from the place of its search's tree in the
    chart, if there is one. More than two bars that pass would flash: these grow where they are."""
    full, ink = card_texts(script), script.theme.text
    faces = Face.BOLD, Face.REGULAR, Face.REGULAR
    brief = full._replace(rows=[row._replace(cause="") for row in full.rows])
    readable = ceil(_READABLE * script.layout.text.sentence)
    for texts, least in (
        (full, readable),
        (brief, readable),
        (brief._replace(answer=[fact.rstrip(":") for fact in full.answer[:1]]), readable),
        (full, _LEAST),
    ):
        lines = zip(texts.answer, faces, strict=False)
        answer = [CardLine(text, face, ink) for text, face in lines]
        plan = planned(script, texts, _HEADLINE, answer, least)
        if plan.texts:
            break
    if not script.layout.chart or len(plan.bars) > _MOST_MOVING:
        return plan
    trees = script.shared(tree_rows).places
    return plan._replace(bars=tuple(bar._replace(start=trees[bar.search]) for bar in plan.bars))


def _rows(script: Script, verdict: Verdict, lost: Sequence[int] = ()) -> list[CardRow]:
    """The bars in their order. `lost` are the steps of each search after wrong first digits, which
    only the first bar shows."""
    rows: list[CardRow] = []
    longest = max(1, *(tally.steps for tally in script.tallies))
    for search in verdict.bars:
        tally, name = script.tallies[search], script.headers[search].label
        if len(script.tallies) == 1:
            digits = say.DIGITS(count=tally.places)
            free = script.headers[search].puzzle.problem.is_free
            share = Fraction(tally.undos if free else tally.guessed, max(1, tally.places))
            return [CardRow(search, name, Fraction(1), digits, share)]
        capped = tally.outcome is Outcome.CAPPED
        steps = say.BAR_AT_LEAST(steps=tally.steps) if capped else number(tally.steps)
        row = CardRow(search, name, Fraction(tally.steps, longest), steps)
        if lost and lost[search] and not rows:
            warm = Fraction(lost[search], tally.steps)
            percent = say.PERCENT(number=number(min(99, round(100 * warm))))
            row = row._replace(warm=warm, cause=say.BAR_WRONG(share=percent))
        rows.append(row)
    return rows


class _Part(NamedTuple):
    """A part of the card; positions are relative to its upper left corner."""

    height: int
    texts: tuple[CardText, ...]
    bars: tuple[CardBar, ...] = ()


def planned(
    script: Script,
    said: CardTexts,
    style: Style,
    answer: Sequence[CardLine] = (),
    least: int = _LEAST,
) -> CardPlan:
    """The plan in the largest letters, of at least so many pixels per em, with which all of it
    fits, with thin bars if there are many; otherwise of the headline alone. A
    text below the headline is in the middle, like the headline above it; the `answer` is below
    the bars, or in the middle if there are none."""
    headline, _, below, rows, _ = said
    area, ink = _used(script), script.theme.text
    centred = bool(below) or not rows
    largest = max(_LEAST, int(min(area.width / _ACROSS, area.height / _DOWN)))
    many = sum(bool(row.name) for row in rows) >= _MANY
    tried = range(largest, min(least, largest) - 1, -1)
    for size, thick in product(tried, _THICK if many else (0,)):
        parts = [_bars(rows, size, area.width, script, int(thick * size))] if rows else []
        if below:
            larger = size * 5 // 4
            wrapped = SetText(balanced(below, Face.BOLD, larger, area.width), Face.BOLD, larger)
            parts.insert(0, _lines(wrapped, ink, area.width))
        if answer:
            parts.append(_column(answer, size, area.width, centred=centred))
        gap = round(_GAP * size)
        room = area.height - sum(part.height + gap for part in parts)
        sizes = round(style.least * size), round(style.most * size)
        found = largest_text(headline, Face.BOLD, area.width, room, sizes, style.lines)
        if found and all(text.box.right <= area.width for part in parts for text in part.texts):
            parts.insert(0, _lines(found, ink, area.width if centred else 0))
            return _placed(parts, area, size)
    found = largest_text(headline, Face.BOLD, area.width, area.height, (1, _LEAST), lines=3)
    return _placed([_lines(found, ink, area.width)] if found else [], area, _LEAST)


def _used(script: Script) -> Rect:
    """The part of the picture in which something is written."""
    width, height, safe = script.layout.width, script.layout.height, script.layout.safe
    x, y = max(width // 20, safe.x), max(height // 20, safe.y)
    right, bottom = min(width - width // 20, safe.right), min(height - height // 20, safe.bottom)
    return Rect(x, y, max(1, right - x), max(1, bottom - y))


def _lines(text: SetText, ink: Colour, width: int = 0) -> _Part:
    """Lines of text, each in the middle of `width` pixels; 0 if they begin at the left. The part
    ends with the lowest letter, which may be a digit."""
    y, foot = 0, 0
    texts = []
    for line in text.lines:
        spare = width - text_width(line, text.face, text.size)
        texts.append(CardText(line, text.face, text.size, ink, max(0, spare) // 2, y))
        foot = y + glyph_box(line, text.face, text.size)[3]
        y += line_height(text.face, text.size)
    return _Part(foot, tuple(texts))


def _column(lines: Sequence[CardLine], size: int, width: int, *, centred: bool) -> _Part:
    """Lines below each other, from the left or in the middle of `width` pixels."""
    texts: list[CardText] = []
    y = 0
    for text, face, ink in lines:
        for line in wrapped(text, face, size, width):
            spare = max(0, width - text_width(line, face, size)) * centred
            texts.append(CardText(line, face, size, ink, spare // 2, y))
            y += line_height(face, size)
    return _Part(y, tuple(texts))


def _bars(rows: Sequence[CardRow], size: int, room: int, script: Script, thin: int) -> _Part:
    """A name, a bar and a number for each search; bars are `thin` pixels high, or for 0 as high as
    a line. The number is beside the bar, or, if there is no room or bars are thin, at the end of
    the last line of the name, or else on a line of its own."""
    theme, line, gap = script.theme, line_height(Face.BOLD, size), size // 2
    texts: list[CardText] = []
    bars: list[CardBar] = []
    y = 0
    for row in rows:
        if bars:
            y += min(gap, thin or gap)
        length = round(row.length * room)
        length = max(_THINNEST, length) if row.length else 0
        wide = text_width(row.number, Face.BOLD, size)
        beside = not thin and length + gap + wide <= room
        ink = theme.search_colour(row.search)
        if not row.name:
            rect = Rect(0, y, length, int(_THIN * size))
            bars.append(CardBar(row.search, rect._replace(width=0), rect, row.warm))
            y = rect.bottom
            continue
        for part in name_lines(row.name, Face.BOLD, size, room):
            texts.append(CardText(part, Face.BOLD, size, ink, 0, y))
            y += line
        if not beside and texts[-1].box.right + size + wide > room:
            y += line
        y += size // 8
        x, top = (length + gap, y) if beside else (room - wide, y - line - size // 8)
        texts.append(CardText(row.number, Face.BOLD, size, theme.text, x, top))
        rect = Rect(0, y, length, thin or line)
        bars.append(CardBar(row.search, rect._replace(width=0), rect, row.warm))
        y = rect.bottom
        if row.cause:
            cause = CardText(row.cause, Face.BOLD, size, theme.undoing, 0, y)
            if not thin and cause.box.width + 2 * gap <= length * row.warm:
                # The colours of its edges are those of the same letters below the bar.
                cause = cause._replace(ink=theme.background, background=theme.undoing)
                cause = cause._replace(x=gap, y=rect.y)
            texts.append(cause)
            y = cause.box.bottom
    return _Part(y, tuple(texts), tuple(bars))


def _placed(parts: Sequence[_Part], area: Rect, size: int) -> CardPlan:
    """The parts below each other in the area, the first one as the headline, with equal spaces; in
    a language written from right to left everything is mirrored."""
    spare = area.height - sum(part.height for part in parts)
    gap = max(0, min(spare // (len(parts) + 1), round(_WIDEST_GAP * size)))
    y = area.y + (spare - gap * (len(parts) - 1)) // 2
    placed = []
    for part in parts:
        texts = tuple(
            each._replace(x=_mirrored(each.box, area), y=each.y + y) for each in part.texts
        )
        bars = tuple(
            bar._replace(
                start=bar.start._replace(x=_mirrored(bar.start, area), y=bar.start.y + y),
                rect=bar.rect._replace(x=_mirrored(bar.rect, area), y=bar.rect.y + y),
            )
            for bar in part.bars
        )
        placed.append((texts, bars))
        y += part.height + gap
    headline = placed[0][0] if placed else ()
    return CardPlan(
        headline,
        tuple(bar for _, bars in placed for bar in bars),
        tuple(text for texts, _ in placed[1:] for text in texts),
    )


def _mirrored(rect: Rect, area: Rect) -> int:
    """The left edge in the picture of a rectangle that is given relative to the area."""
    return area.right - rect.right if spoken().right_to_left else area.x + rect.x
