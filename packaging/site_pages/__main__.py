"""Builds the site: `python packaging/site_pages [FOLDER]`, by default output/site."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from site_pages.build import ROOT, build
from site_pages.gallery import rendered_gallery


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "output" / "site"
    films = rendered_gallery(ROOT / "output" / "gallery")
    problems = build(target, films)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{target / 'index.html'}")
    return 1 if problems else 0


sys.exit(main())
