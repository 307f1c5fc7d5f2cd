"""Panels are declared once: what another package may declare, and how names are looked up."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from undoku import extensions
from undoku.errors import SettingsError
from undoku.render.layout.panel_kind import PanelKind, Shape, ShownWhen, Space
from undoku.render.panels import panel_registry as registry
from undoku.render.panels.panel_registry import (
    BUILTIN_PANELS,
    named,
    panels,
    register,
    shown_panels,
)
from undoku.render.settings.settings import FilmSettings

OURS = PanelKind("ours", "A panel of ours.", Space(Shape.CHART), "nowhere:made", rank=150)


@pytest.fixture
def no_lasting_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    panels()
    monkeypatch.setattr(registry, "KINDS", dict(registry.KINDS))


@pytest.mark.usefixtures("no_lasting_panels")
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (OURS._replace(name="tree"), "there is a panel called 'tree' already"),
        (OURS._replace(name=""), "a panel can't be called ''"),
        (OURS._replace(name="a,b"), "a panel can't be called 'a,b'"),
        (OURS._replace(name="Ours"), "a panel can't be called 'Ours'"),
        (OURS._replace(space=Space(Shape.BOARD)), "'ours' would be a second board"),
        (OURS._replace(space=Space(Shape.COUNTERS)), "'ours' would be a second counters"),
        (
            OURS._replace(shown=ShownWhen.USUALLY),
            "'ours' would be shown in films without being requested",
        ),
    ],
)
def test_an_invalid_declaration_is_refused(kind: PanelKind, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        register(kind)


@pytest.mark.usefixtures("no_lasting_panels")
def test_a_panel_of_another_package_is_known_by_its_name_and_shown_on_request() -> None:
    register(OURS)
    assert named(["ours", "board"])[-1] is OURS
    assert OURS not in shown_panels(FilmSettings())
    assert OURS in shown_panels(FilmSettings(panels=("ours",)))
    with pytest.raises(SettingsError, match=r"no panel 'hours'; known: board, .*, heat, ours$"):
        named(["hours"])


@pytest.mark.usefixtures("no_lasting_panels")
def test_a_package_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its entry point; a film of undoku's own panels is made nevertheless."""
    entry = EntryPoint("theirs", "no.such.module:PANELS", registry.GROUP)
    monkeypatch.setattr(extensions, "entry_points", lambda group: [entry])
    extensions.add_offers.cache_clear()
    with pytest.raises(SettingsError, match="'theirs' can't be loaded: No module named 'no'"):
        named(["ours"])
    assert named(kind.name for kind in BUILTIN_PANELS) == BUILTIN_PANELS
    monkeypatch.undo()
    extensions.add_offers.cache_clear()


def test_the_panel_that_is_left_out_first_has_the_lowest_rank_and_no_two_are_equal() -> None:
    ranks = [kind.rank for kind in BUILTIN_PANELS]
    assert len(set(ranks)) == len(ranks)
