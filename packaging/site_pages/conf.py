"""Settings of Sphinx for the site. No font and no script comes from the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

project = "undoku"
html_title = "undoku"
copyright = "the undoku maintainers"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
html_theme = "furo"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_extra_path: list[str] = []
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # summaries are fetched, which file:// does not allow
html_domain_indices = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b57a4", "color-brand-content": "#0b57a4"},
    "dark_css_variables": {"color-brand-primary": "#8ec5ff", "color-brand-content": "#8ec5ff"},
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
highlight_language = "none"
default_role = "code"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
suppress_warnings = ["misc.highlighting_failure"]


def _language(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Pages in German say so, for screen readers and hyphenation."""
    if page.endswith("-de"):
        context["language"] = "de"


def _files(app: Any, error: Exception | None) -> None:
    """Files to which pages link lie in the site as they are."""
    import shutil

    for name in ("files", "films"):
        folder = Path(app.srcdir) / name
        if folder.is_dir() and not error:
            shutil.copytree(folder, Path(app.outdir) / name, dirs_exist_ok=True)


def setup(app: Any) -> None:
    app.connect("html-page-context", _language)
    app.connect("build-finished", _files)
