"""Stages the pages, runs Sphinx, checks the result."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from site_pages.gallery import gallery_page
from site_pages.links import broken_links
from site_pages.staging import api_page, command_page, index_page, staged

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def build(target: Path, films: Path | None, reference: bool = True) -> list[str]:
    """Build the site into the folder `target`, which is replaced.

    `films` is the folder with the films of the gallery, or None for a gallery of those that are
    there. Without `reference` the pages of the Python reference are left out, which takes half of
    the time. Returns a sentence for each mistake: warnings of Sphinx and links that lead nowhere.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "source", Path(folder) / "site"
        staged(ROOT, source)
        (source / "index.md").write_text(index_page(ROOT, source), "utf-8")
        (source / "gallery.md").write_text(gallery_page(ROOT, films, source / "films"), "utf-8")
        (source / "command.md").write_text(command_page(), "utf-8")
        (source / "api.md").write_text(api_page(ROOT) if reference else "# Python\n", "utf-8")
        command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-c", str(HERE)]
        run = subprocess.run(
            [*command, "-d", str(Path(folder) / "doctrees"), str(source), str(made)],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        found = [line for line in run.stderr.splitlines() if line]
        if run.returncode:
            return found or [f"Sphinx ended with exit code {run.returncode}"]
        shutil.rmtree(made / "_sources", ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    return found + broken_links(target)
