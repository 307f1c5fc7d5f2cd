"""The options for the names of searches, and for the language and the typeface of their texts."""

from __future__ import annotations

from argparse import Namespace

from undoku.render.draw.typefaces import load_typeface
from undoku.render.draw.typesetting import Typesetting
from undoku.render.settings.table import option
from undoku.texts.language_files import load_language

__all__ = ["labels_of", "typesetting_of"]


def labels_of(options: Namespace) -> tuple[str, ...]:
    """The names given with `--label`."""
    labels: tuple[str, ...] = option("labels").value(options.labels or ())
    return labels


def typesetting_of(options: Namespace) -> Typesetting:
    """The requested language and typeface; a command that draws no text has no
    `--font`. Raises SettingsError or ReadError."""
    font = getattr(options, "font", None)
    return Typesetting(load_language(options.language or ""), load_typeface(font or ""))
