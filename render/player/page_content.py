"""All that a page shows of a film, as one object that JSON can hold."""

from __future__ import annotations

import base64
from typing import Any

from render.film import Film
from render.player.colour_content import theme_content
from render.player.search_content import boards_content, searches_content, verdict_content
from render.player.text_content import text_content
from render.player.timeline_content import (
    callouts_content,
    highlights_content,
    rules_content,
    timeline_content,
)

__all__ = ["VERSION", "page_content"]

VERSION = 1
"""Of the object, which the script of the page looks at."""


def page_content(film: Film) -> dict[str, Any]:
    """The content of a film's page. Raises SettingsError where the searches are too long for
    one."""
    searches, block = searches_content(film)
    with film.typesetting.within():
        return {
            "version": VERSION,
            "title": film.title,
            "command": film.command,
            "boards": boards_content(film),
            "searches": searches,
            "timeline": timeline_content(film),
            "callouts": callouts_content(film),
            "highlights": highlights_content(film, film.moments),
            "rules": rules_content(film),
            "verdict": verdict_content(film.labels, film),
            "texts": text_content(),
            "themes": theme_content(film),
            "panels": list(film.settings.panels),
            "heat": film.settings.heat,
            "events": base64.b64encode(block).decode("ascii"),
        }
