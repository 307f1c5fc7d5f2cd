"""The table of panels: built-in ones and those of other packages.

Another package adds panels through the entry-point group `undoku.panels`: an entry point names an
iterable of `PanelKind`s, or a function that returns one.
"""

from __future__ import annotations

from collections.abc import Iterable

from undoku.errors import SettingsError
from undoku.extensions import add_offers, named_function
from undoku.render.layout.panel_kind import PanelKind, Shape, ShownWhen, Space
from undoku.render.panels.panel import Panel, PanelContext
from undoku.render.settings.settings import FilmSettings

BUILTIN_PANELS = (
    PanelKind(
        "board",
        "The board: givens, digits in the tint of their depth, tried and undone digits. In every "
        "film.",
        Space(Shape.BOARD),
        "undoku.render.panels.board:BoardPanel",
        rank=1000,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "counters",
        "Steps, backtracks, depth, dead ends and branching, as far as there is room.",
        Space(Shape.COUNTERS),
        "undoku.render.panels.counters:CounterPanel",
        rank=900,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "solutions",
        "The solutions found so far, as small boards; in films of exhaustive searches.",
        Space(Shape.CHART, lines=4),
        "undoku.render.panels.solutions:SolutionsPanel",
        rank=500,
        shown=ShownWhen.WHEN_EXHAUSTIVE,
    ),
    PanelKind(
        "depth",
        "Depth over time.",
        Space(Shape.TIMELINE, lines=3),
        "undoku.render.panels.depth:DepthPanel",
        rank=400,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "tree",
        "The search tree as it grows, with the path to the current node.",
        Space(Shape.CHART, lines=4),
        "undoku.render.panels.tree_panel:TreePanel",
        rank=300,
        shown=ShownWhen.USUALLY,
    ),
    PanelKind(
        "why",
        "One line with the reason of the last step; by default in slow films.",
        Space(Shape.LINE, lines=1),
        "undoku.render.panels.reason_line:WhyPanel",
        rank=200,
        shown=ShownWhen.WHEN_READABLE,
    ),
    PanelKind(
        "code",
        "Pseudocode of the search, with the running line and the count of each line; hidden while "
        "the search is too fast to follow.",
        Space(Shape.TIMELINE, lines=9),
        "undoku.render.panels.code:CodePanel",
        rank=450,
    ),
    PanelKind(
        "heat",
        "A map of how often each cell was tried.",
        Space(Shape.MAP),
        "undoku.render.panels.heat:HeatPanel",
        rank=100,
        whole_history=True,
    ),
)


GROUP = "undoku.panels"
"""The entry-point group."""

_HEAT = "heat"
"""The panel that the setting `heat` adds."""

_CODE = "code"
"""The panel that the setting `code` adds."""

_READABLE = 4
"""The highest steps per second at which the reason of each step can be read."""

KINDS = {kind.name: kind for kind in BUILTIN_PANELS}
"""All registered kinds by their names."""


def register(kind: PanelKind) -> None:
    """Add a kind of panel under its name. Raises SettingsError if the name is taken or can't be
    used in a list of names, for a second board or second counters, and for a panel that is shown by
    default, because films would then differ between machines."""
    name = kind.name
    if not name or name != name.lower() or set(name) & set(", \t"):
        raise SettingsError(
            f"a panel can't be called {name!r}", remedy="use small letters, digits and hyphens"
        )
    if name in KINDS:
        raise SettingsError(f"there is a panel called {name!r} already")
    if kind.space.shape in (Shape.BOARD, Shape.COUNTERS):
        raise SettingsError(
            f"the panel {name!r} would be a second {kind.space.shape.name.lower()}",
            remedy="use the shape TIMELINE, CHART, MAP or LINE",
        )
    if kind.shown is not ShownWhen.ON_REQUEST:
        raise SettingsError(
            f"the panel {name!r} would be shown in films without being requested",
            remedy="leave out `shown`",
        )
    KINDS[name] = kind


def panels() -> tuple[PanelKind, ...]:
    """All kinds of panels; those of other packages come last."""
    add_offers(GROUP, register, SettingsError)
    return tuple(KINDS.values())


def named(names: Iterable[str]) -> tuple[PanelKind, ...]:
    """The kinds with these names, each once, in the order of `panels`. Raises SettingsError for an
    unknown name."""
    wanted = dict.fromkeys(names)
    # Other packages are searched only if a name is not built in.
    known = (
        BUILTIN_PANELS if {kind.name for kind in BUILTIN_PANELS}.issuperset(wanted) else panels()
    )
    for name in wanted:
        if all(kind.name != name for kind in known):
            raise SettingsError(
                f"there is no panel {name!r}",
                remedy=f"known: {', '.join(kind.name for kind in known)}",
            )
    return tuple(kind for kind in known if kind.name in wanted)


def shown_panels(settings: FilmSettings, *, exhaustive: bool = False) -> tuple[PanelKind, ...]:
    """The panels for the settings of a film; by default the usual ones, reasons if they can be
    read, and solutions if a search is `exhaustive`. The setting `heat` determines the heat panel.
    Raises SettingsError for an unknown name."""
    names = list(settings.panels)
    if not names:
        rate = settings.pace.steps_per_frame
        usual = {ShownWhen.USUALLY}
        if exhaustive:
            usual.add(ShownWhen.WHEN_EXHAUSTIVE)
        if rate is not None and rate * settings.fps <= _READABLE:
            usual.add(ShownWhen.WHEN_READABLE)
        names = [kind.name for kind in BUILTIN_PANELS if kind.shown in usual]
    if settings.code:
        names.append(_CODE)
    if settings.heat == "overlay":
        names = [name for name in names if name != _HEAT]
    elif settings.heat:
        names.append(_HEAT)
    return named(names)


def made(kind: PanelKind, context: PanelContext) -> Panel:
    """A panel of this kind. Raises SettingsError if its factory can't be loaded."""
    panel: Panel = named_function(f"the panel {kind.name!r}", kind.factory, SettingsError)(context)
    return panel
