"""What commands call searches, and the language and the typeface in which they say it."""

from __future__ import annotations

from argparse import Namespace

from render.options.table import option
from render.style.font_files import load_typeface
from render.texts.language_files import load_language
from render.typesetting import Typesetting

__all__ = ["labels_of", "typesetting_of"]


def labels_of(options: Namespace) -> tuple[str, ...]:
    """The names given with `--label`."""
    labels: tuple[str, ...] = option("labels").value(options.labels or ())
    return labels


def typesetting_of(options: Namespace) -> Typesetting:
    """The language and the typeface asked for; a command without letters of its own has no
    `--font`. Raises SettingsError or ReadError."""
    font = getattr(options, "font", None)
    return Typesetting(load_language(options.texts or ""), load_typeface(font or ""))
