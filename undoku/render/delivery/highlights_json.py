"""The highlights of a film as a file beside it, for players, editors and scripts."""

from __future__ import annotations

import json
from pathlib import Path

from undoku.render.delivery.write import Sidecar
from undoku.render.film.film import Film
from undoku.render.story.highlight_timing import seen
from undoku.visible_text import visible_json

__all__ = ["highlights_sidecar", "highlights_text"]


def highlights_sidecar(output: Path) -> Sidecar:
    """The list of highlights to be written with the film `output`: film.highlights.json for
    film.mp4, and for the pictures frames/%06d.png frames.highlights.json."""
    named = output.parent if "%" in output.name and output.parent.name else output
    return Sidecar(named.with_suffix(".highlights.json"), highlights_text)


def highlights_text(film: Film) -> str:
    """The highlights as JSON: when each is shown (`frame` from 0, `seconds`), its search (name and
    `label`), its step, the number of steps of the passage (`steps`), and its sentence."""
    found = [
        {
            "frame": frame,
            "seconds": round(float(frame / film.settings.fps), 6),
            "kind": highlight.kind,
            "search": film.names[highlight.search],
            "label": film.labels[highlight.search],
            "step": highlight.step,
            "steps": highlight.steps,
            "sentence": highlight.sentence,
        }
        for frame, highlight in seen(film.timeline, film.highlights)
    ]
    content = {"title": film.title, "highlights": found}
    return visible_json(json.dumps(content, ensure_ascii=False, indent=2)) + "\n"
