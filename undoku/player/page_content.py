"""The contents of a page of a film, as one object for JSON."""

from __future__ import annotations

import base64
from typing import Any

from undoku.player.colour_content import theme_content
from undoku.player.search_content import boards_content, searches_content, verdict_content
from undoku.player.story_content import (
    callouts_content,
    code_content,
    explanation_content,
    highlights_content,
    notices_content,
    rules_content,
    title_card_content,
)
from undoku.player.text_content import text_content
from undoku.player.timeline_content import timeline_content
from undoku.render.film.film import Film

__all__ = ["page_content"]


def page_content(film: Film) -> dict[str, Any]:
    """The content of a film's page. Raises SettingsError if the searches are too long for one."""
    searches, block = searches_content(film)
    with film.typesetting.within():
        return {
            "title": film.title,
            "command": film.command,
            "boards": boards_content(film),
            "searches": searches,
            "timeline": timeline_content(film),
            "callouts": callouts_content(film),
            "highlights": highlights_content(film, film.moments),
            "notices": notices_content(film),
            "explanation": explanation_content(film),
            "rules": rules_content(film),
            "titleCard": title_card_content(film),
            "counters": [kind.name for kind in film.layout.counters],
            "code": code_content(film),
            "verdict": verdict_content(film.labels, film),
            "texts": text_content(),
            "themes": theme_content(film),
            "panels": list(film.settings.panels),
            "heat": film.settings.heat,
            "events": base64.b64encode(block).decode("ascii"),
        }
