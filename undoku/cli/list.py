"""undoku list: strategies, themes, panels, formats, presets, platforms, texts."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from undoku.cli.list_search import matching
from undoku.cli.printing import print_json

__all__ = ["rows_of", "run"]

Row = dict[str, Any]
"""An entry of a list: `name` and `sentence`, and optionally `kind`, `spec`, `source`, `plain` (all
texts) and `aliases` (a list of texts)."""


def run(options: Namespace) -> int:
    rows = rows_of(options.what)
    if options.words:
        rows = matching(rows, " ".join(options.words), options.what)
    if options.json:
        print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    kind = ""
    for row in rows:
        if row.get("kind", kind) != kind:  # strategies consist of parts of several kinds
            print(("\n" if kind else "") + row["kind"] + ":")
            kind = row["kind"]
        notes = [row["source"]] if row.get("source") else []
        if row.get("aliases"):
            notes.append("also called " + ", ".join(row["aliases"]))
        rest = row["sentence"] + (f" ({'; '.join(notes)})" if notes else "")
        if row.get("spec"):
            rest = f"{row['spec']}: {rest}"
        print(f"{'  ' * bool(kind)}{row['name']:<{width}}  {rest}")
    return 0


def rows_of(what: str) -> list[Row]:
    """All rows of a list: "strategies", "panels", …"""
    return _LISTS[what]()


def _strategies() -> list[Row]:
    from undoku.solver.search.part_registry import parts
    from undoku.solver.search.strategy_part import PartKind

    rows: list[Row] = []
    for kind in PartKind:
        for part in parts(kind):
            row: Row = {"name": part.written, "sentence": part.sentence, "source": part.source}
            row |= {"plain": part.plain_name, "aliases": list(part.aliases), "kind": kind.value}
            rows.append(row | ({"spec": part.spec} if part.spec else {}))
    return rows


def _themes() -> list[Row]:
    from undoku.render.draw.theme import load_theme, theme_names

    return [{"name": name, "sentence": load_theme(name).title} for name in theme_names()]


def _panels() -> list[Row]:
    from undoku.render.panels.panel_registry import panels

    return [{"name": kind.name, "sentence": kind.sentence} for kind in panels()]


def _formats() -> list[Row]:
    from undoku.render.write.formats import formats

    return [{"name": entry.suffix, "sentence": f"{entry.name}: {entry.sentence}"}
            for entry in formats()]  # fmt: skip


def _presets() -> list[Row]:
    from undoku.render.write.quality import QUALITIES

    return [{"name": quality.name, "sentence": quality.sentence} for quality in QUALITIES.values()]


def _platforms() -> list[Row]:
    from undoku.render.delivery.platforms import limits_table

    return [dict(row) for row in limits_table()]


def _texts() -> list[Row]:
    from undoku.texts.language import declared
    from undoku.texts.language_files import language_names, load_language

    rows: list[Row] = [{"name": name, "sentence": load_language(name).tag, "kind": "languages"}
            for name in language_names()]  # fmt: skip
    for text in declared().values():
        sentence = f"{text.english} ({text.one})" if text.counted else text.english
        rows.append({"name": text.key, "sentence": sentence, "kind": "texts"})
    return rows


_LISTS = {
    "strategies": _strategies,
    "themes": _themes,
    "panels": _panels,
    "formats": _formats,
    "presets": _presets,
    "platforms": _platforms,
    "texts": _texts,
}
