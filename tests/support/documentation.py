"""Generates the table of cues in docs/, and the types of options for type checkers:
`python -m tests.support.documentation` in the folder of the repository, or `make docs`.

Tables are between `<!-- table: NAME -->` and `<!-- end of table -->`; the JSON Schema of manifests
is a separate file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from undoku.render.batch.manifest import schema
from undoku.render.settings import fields
from undoku.render.settings.cue_file import CUE_KEYS, cues_schema

_STUB = """\
# The types of fields.py; `make docs` writes this file.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

from undoku.render.timeline.pace import Clock
from undoku.render.timeline.timeline import Pace

FIELD_TYPES: dict[str, str]
ARGUMENT_TYPES: dict[str, str]

@dataclass(frozen=True, slots=True)
class SettingFields:
{fields}

class FilmOptions(TypedDict, total=False):
{arguments}
"""


def documents(folder: Path) -> dict[Path, str]:
    """The files that describe options, with current contents: those of the documentation in
    `folder`, and the stub of the settings."""
    found = _filled(folder)
    schema_text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    cues_text = json.dumps(cues_schema(), indent=2, ensure_ascii=False) + "\n"
    stub = _STUB.format(
        fields="\n".join(f"    {name}: {kind} = ..." for name, kind in fields.FIELD_TYPES.items()),
        arguments="\n".join(f"    {name}: {kind}" for name, kind in fields.ARGUMENT_TYPES.items()),
    )
    return found | {
        Path(fields.__file__).with_suffix(".pyi"): stub,
        folder / "manifest.schema.json": schema_text,
        folder / "cues.schema.json": cues_text,
    }


def _filled(folder: Path) -> dict[Path, str]:
    """The pages in `folder` that have a place between `<!-- table: NAME -->` and `<!-- end of table
    -->`, with the table of that name in each."""
    place = re.compile(r"(<!-- table: ([a-z_ ]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
    return {
        path: place.sub(lambda found: found[1] + _TABLES[found[2]] + found[3], text)
        for path in sorted(folder.glob("*.md"))
        if place.search(text := path.read_text(encoding="utf-8"))
    }


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


_TABLES = {
    "keys of a cue": _table(
        ("key", "takes", "what it does"),
        ((f"`{name}`", key.called, key.sentence) for name, key in CUE_KEYS.items()),
    ),
}


if __name__ == "__main__":
    for path, text in documents(Path("docs")).items():
        path.write_text(text, encoding="utf-8")
