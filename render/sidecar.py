"""The highlights of a film as a file beside it, for players, editors and scripts."""

from __future__ import annotations

import json
from pathlib import Path

from render.pipeline import Film
from render.sinks.staging import Staging, write_error
from render.slowing import seen

__all__ = ["write_highlights"]


def write_highlights(film: Film, path: Path, *, overwrite: bool = False) -> Path:
    """Write when each highlight is seen (`frame` from 0, `seconds`), in which search, at which
    step, how long what begins there goes on (`steps`), and its sentence. Raises OutputError."""
    found = []
    for frame, highlight in seen(film.timeline, film.highlights):
        found.append(
            {
                "frame": frame,
                "seconds": round(float(frame / film.settings.fps), 6),
                "kind": highlight.kind,
                "search": film.names[highlight.search],
                "step": highlight.step,
                "steps": highlight.steps,
                "sentence": highlight.sentence,
            }
        )
    staging = Staging(path, overwrite=overwrite)
    try:
        content = {"title": film.title, "highlights": found}
        staging.temporary.write_text(
            json.dumps(content, ensure_ascii=False, indent=2) + "\n", "utf-8"
        )
        staging.commit()
    except OSError as error:
        raise write_error(path, error) from None
    finally:
        staging.discard()
    return path
