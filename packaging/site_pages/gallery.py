"""The gallery: the films of examples/gallery/films.toml, each with the command that makes it."""

from __future__ import annotations

import html
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from PIL import Image

MANIFEST = "examples/gallery/films.toml"


def rendered_gallery(folder: Path) -> Path:
    """The films in `folder`: made by one batch, which keeps those that did not change."""
    root = Path(__file__).parent.parent.parent
    command = [sys.executable, "-m", "undoku", "batch", MANIFEST, "-o", str(folder)]
    subprocess.run(command, cwd=root, check=True)
    return folder


def jobs_of(root: Path) -> list[dict[str, Any]]:
    """The jobs of the manifest, with the defaults that they do not set."""
    manifest = tomllib.loads((root / MANIFEST).read_text("utf-8"))
    return [{**manifest["defaults"], **job} for job in manifest["jobs"]]


def film_name(job: dict[str, Any]) -> str:
    """The name of the film's file, such as "race.gif"."""
    return f"{job['name']}.{job['formats'][0]}"


def command_of(job: dict[str, Any]) -> str:
    """The command that makes the film of a job, in the folder of the repository."""
    words = ["undoku", "render", _from_root(job["puzzles"])]
    for strategy in job.get("strategies", ()):
        words += ["-s", strategy]
    for key, value in job.items():
        if key in ("name", "puzzles", "strategies", "formats"):
            continue
        words.append("--" + key.replace("_", "-"))
        if isinstance(value, list):
            words.append(",".join(value))
        elif value is not True:
            words.append(_from_root(str(value)))
    return shlex.join([*words, "-o", film_name(job)])


def _from_root(name: str) -> str:
    return name.replace("../", "examples/", 1)


def gallery_page(root: Path, films: Path | None, target: Path) -> str:
    """The page, in Markdown; its films are copied from the folder `films`, or from where their
    texts say, to the folder `target`, each with a picture that is shown until it plays."""
    texts = tomllib.loads((root / "examples" / "gallery" / "texts.toml").read_text("utf-8"))
    target.mkdir(parents=True, exist_ok=True)
    parts = [_HEAD]
    jobs = {job["name"]: job for job in jobs_of(root)}
    for name, text in texts.items():
        film = films and films / film_name(jobs[name]) if name in jobs else root / text["film"]
        if "section" in text:
            parts += ["</div>"] * (len(parts) > 1)
            parts += [f"## {text['section']}", '<div class="films">']
        if film is None or not film.exists():
            shown = f"<p>{html.escape(text['shows'])}.</p>"
        else:
            shown = _shown(film, text, target)
        command = command_of(jobs[name]) if name in jobs else text["command"].strip()
        listing = _OPTION.sub(r"<span>\g<0></span>", html.escape(command))
        parts.append(
            f'<div class="film {name}">\n<h3>{html.escape(text["title"])}</h3>\n{shown}\n'
            f"<p>{html.escape(text['sentence'])}</p>\n"
            f"<pre><code>{listing}</code></pre>\n</div>"
        )
    return "\n\n".join([*parts, "</div>"]) + "\n"


def _shown(film: Path, text: dict[str, str], target: Path) -> str:
    if film.suffix in (".gif", ".webp"):
        return moving_picture(film, target, text["shows"], text["title"])
    shutil.copyfile(film, target / film.name)
    alt = html.escape(text["shows"])
    if film.suffix == ".html":
        kept = 'sandbox="allow-scripts" loading="lazy"'
        return f'<iframe src="films/{film.name}" title="{alt}" {kept}></iframe>'
    return f'<video src="films/{film.name}" controls preload="metadata" aria-label="{alt}"></video>'


def moving_picture(film: Path, target: Path, alt: str, title: str) -> str:
    """The markup of a GIF or WebP that a reader can stop: a picture, kept in the folder `target`
    beside the film, is shown until site.js plays the film."""
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(film, target / film.name)
    with Image.open(film) as frames:
        width, height = frames.size
        frames.seek(2 * getattr(frames, "n_frames", 1) // 3)
        frames.convert("RGBA").save(target / f"{film.stem}.png")
    return (
        f'<img src="films/{film.stem}.png" data-film="films/{film.name}" '
        f'data-title="{html.escape(title)}" alt="{html.escape(alt)}" '
        f'width="{width}" height="{height}" loading="lazy">'
    )


_OPTION = re.compile(r"(?<=\s)--?[a-z][\w-]*(?: [^-\s|]\S*)?")

_HEAD = """\
# Gallery

Films, each with its command. One manifest made all but the three of other programs; run it, or
any of the commands, in a clone:

```sh
undoku batch examples/gallery/films.toml -o films
```

Films play while they are visible; each has a button that stops it."""
