"""Makes the sources of the site's pages from the repository: docs/, examples/, the public names."""

from __future__ import annotations

import ast
import json
import re
import shutil
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path

from site_pages.gallery import moving_picture

NAVIGATION = {
    "Start": ["tutorial", "tutorial-de", "gallery", "cookbook", "your-solver", "lesson"],
    "Guides": ["for-bloggers", "for-video-makers", "for-teachers", "for-researchers", "for-ci"],
    "Reference": ["film", "strategies", "puzzle-formats", "trace-format", "formats", "player",
                  "sound", "editing", "batch", "command", "api"],
    "How it is made": ["examples", "contact-sheets", "start-up", "encoding", "direct-h264",
                       "direct-h264-measured", "architecture"],
}  # fmt: skip
"""The pages, by the headings of the side bar."""

_PAGES = {"examples/README.md": "examples.md", "examples/gallery/films.toml": "gallery.md",
          "examples/notebooks/lesson.ipynb": "lesson.md"}  # fmt: skip
"""Files of examples/ that are pages of the site."""

_MOVING = re.compile(r"!\[([^\]]*)\]\(([^)\s]+\.gif)\)")
_LINK = re.compile(r"(!?\[[^\]]*\])\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)")


def staged(root: Path, source: Path) -> None:
    """Copy docs/ and the pages of examples/ into the folder `source`; what they link to outside of
    docs/ is copied to `source`/files, which the site contains as it is."""
    source.mkdir(parents=True)
    for path in sorted((root / "docs").iterdir()):
        if path.suffix == ".md":
            _stage_page(root, path, source / path.name)
        elif path.suffix == ".json":
            _copy(root, path, source)
    shutil.copytree(root / "docs" / "media", source / "media")
    _stage_page(root, root / "examples" / "README.md", source / "examples.md")
    notebook = root / "examples" / "notebooks" / "lesson.ipynb"
    (source / "lesson.md").write_text(_notebook_page(root, notebook), "utf-8")


def _stage_page(root: Path, path: Path, target: Path) -> None:
    """A page with links that lead to where their targets lie in the site."""

    def moved(found: re.Match[str]) -> str:
        text, name, anchor = found[1], found[2], found[3] or ""
        linked = (path.parent / name).resolve()
        if linked.parent == root / "docs" and linked.suffix == ".md":
            return f"{text}({linked.name}{anchor})"
        if linked.is_relative_to(root / "docs" / "media"):
            return f"{text}({linked.relative_to(root / 'docs').as_posix()})"
        page = _PAGES.get(linked.relative_to(root).as_posix())
        if page:
            return f"{text}({page}{anchor})"
        if linked.is_dir():
            linked /= "README.md"
            if not linked.exists():
                return text.strip("![]")
        return f"{text}({_copy(root, linked, target.parent)})"

    text = _stoppable(path.parent, target.parent, path.read_text("utf-8"))
    target.write_text(_LINK.sub(moved, text), "utf-8")


def _stoppable(folder: Path, source: Path, text: str) -> str:
    """Markdown whose GIFs, named from `folder`, can be stopped (WCAG 2.2.2)."""

    def moving(found: re.Match[str]) -> str:
        return moving_picture(folder / found[2], source / "films", found[1], "this film")

    return _MOVING.sub(moving, text)


def _copy(root: Path, path: Path, source: Path) -> str:
    """Copy a file of the repository into the site; returns its link. Sources and texts get the
    suffix .txt, so that every browser shows them."""
    name = path.relative_to(root).as_posix()
    shown = path.suffix not in {".png", ".gif", ".webp", ".json", ".txt"}
    target = source / "files" / (name + ".txt" if shown else name)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    return target.relative_to(source).as_posix()


def _notebook_page(root: Path, notebook: Path) -> str:
    """A notebook as a page: its texts, and its cells as code."""
    parts = []
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def index_page(root: Path, source: Path) -> str:
    """The first page: the top of README, the doors, the side bar."""
    title, sentence, picture = (root / "README.md").read_text("utf-8").split("\n\n")[:3]
    parts = [title, sentence, _stoppable(root, source, picture), _DOORS]
    for heading, pages in NAVIGATION.items():
        parts.append(
            f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n" + "\n".join(pages) + "\n```"
        )
    return "\n\n".join(parts) + "\n"


_DOORS = """\
Both boards share one clock. Only the order in which the cells are taken differs: row by row on the
left, the cell with the fewest options first on the right. This command made the film:

```sh
undoku render examples/puzzles/medium.txt --size 640x360 --fps 25 -o demo.gif
```

## Begin here

- **[From your backtracker to a film in ten minutes](tutorial.md)** ([auf Deutsch](tutorial-de.md)):
  install undoku, and film a solver that you write yourself.
- **[Gallery](gallery.md)**: 33 films, each with its command.
- **[Cookbook](cookbook.md)**: twenty short answers to "how do I …?".

## For your purpose

[Blogs](for-bloggers.md) · [videos](for-video-makers.md) · [lessons](for-teachers.md) ·
[research](for-researchers.md) · [continuous integration](for-ci.md)

## Look something up

[What a film shows](film.md) · [strategies](strategies.md) · [puzzles](puzzle-formats.md) ·
[traces](trace-format.md) · [output formats](formats.md) ·
[command](command.md) · [Python](api.md)"""


def command_page() -> str:
    """The reference of the command: the help of each of its commands."""
    from undoku.cli.options import OPTIONS

    parts = ["# Command", f"```text\n{_help()}```"]
    for name in OPTIONS:
        text, _, _ = _help(name).partition("\nexit codes:")  # the same for all commands
        parts.append(f"## undoku {name}\n\n```text\n{text}```")
    return "\n\n".join(parts) + "\n"


def _help(*words: str) -> str:
    """What undoku prints for these words and --help."""
    from undoku.cli.parser import command_line

    with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
        command_line().parse_args([*words, "--help"])
    return printed.getvalue()


def public_names(root: Path) -> list[str]:
    """The public names of undoku, in the order of their list."""
    tree = ast.parse((root / "undoku" / "__init__.pyi").read_text("utf-8"))
    return [alias.name for node in tree.body if isinstance(node, ast.ImportFrom)
            for alias in node.names]  # fmt: skip


def api_page(root: Path) -> str:
    """The Python reference, made from docstrings: functions, classes, errors."""
    import undoku

    groups: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in public_names(root):
        value = getattr(undoku, name)
        if isinstance(value, type):
            error = issubclass(value, Exception)
            groups["Errors" if error else "Classes"].append(f"autoclass:: undoku.{name}")
        elif callable(value):
            groups["Functions"].append(f"autofunction:: undoku.{name}")
    parts = ["# Python", "All names of `import undoku`, from their docstrings."]
    for heading, directives in groups.items():
        parts.append(f"## {heading}")
        members = "   :members:\n" if heading == "Classes" else ""
        parts += [
            f"```{{eval-rst}}\n.. {line}\n{members}```"
            for line in sorted(directives, key=str.lower)
        ]
    return "\n\n".join(parts) + "\n"
