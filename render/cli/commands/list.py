"""undoku list: strategies, themes, panels, formats, presets, platforms, texts."""

from __future__ import annotations

from argparse import Namespace

from render.cli.commands.printing import print_json

__all__ = ["run"]


def run(options: Namespace) -> int:
    rows = _LISTS[options.what]()
    if options.json:
        print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    kind = ""
    for row in rows:
        if row.get("kind", kind) != kind:  # strategies are made of parts of several kinds
            print(("\n" if kind else "") + row["kind"] + ":")
            kind = row["kind"]
        rest = row["sentence"] + (f" ({row['source']})" if row.get("source") else "")
        if row.get("spec"):
            rest = f"{row['spec']}: {rest}"
        print(f"{'  ' * bool(kind)}{row['name']:<{width}}  {rest}")
    return 0


def _strategies() -> list[dict[str, str]]:
    from solver.strategies.part import Kind
    from solver.strategies.registry import parts

    rows = []
    for kind in Kind:
        for part in parts(kind):
            row = {"name": part.written, "sentence": part.sentence, "source": part.source}
            rows.append({**row, "kind": kind.value} | ({"spec": part.spec} if part.spec else {}))
    return rows


def _themes() -> list[dict[str, str]]:
    from render.style.theme import load_theme, theme_names

    return [{"name": name, "sentence": load_theme(name).title} for name in theme_names()]


def _panels() -> list[dict[str, str]]:
    from render.panels.registry import panels

    return [{"name": kind.name, "sentence": kind.sentence} for kind in panels()]


def _formats() -> list[dict[str, str]]:
    from render.sinks import formats

    return [{"name": entry.suffix, "sentence": f"{entry.name}: {entry.sentence}"}
            for entry in formats()]  # fmt: skip


def _presets() -> list[dict[str, str]]:
    from render.sinks.h264.quality import QUALITIES

    return [{"name": quality.name, "sentence": quality.sentence} for quality in QUALITIES.values()]


def _platforms() -> list[dict[str, str]]:
    from render.delivery.platforms import limits_table

    return limits_table()


def _texts() -> list[dict[str, str]]:
    from render.texts.language import declared
    from render.texts.language_files import language_names, load_language

    rows = [{"name": name, "sentence": load_language(name).tag, "kind": "languages"}
            for name in language_names()]  # fmt: skip
    for text in declared().values():
        told = f"{text.english} ({text.one})" if text.counted else text.english
        rows.append({"name": text.key, "sentence": told, "kind": "texts"})
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
