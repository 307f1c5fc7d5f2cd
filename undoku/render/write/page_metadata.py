"""The metadata of an HTML page: a JSON object in an element that browsers do not show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

__all__ = ["about_element", "about_in_page"]

_ELEMENT = re.compile(r'<script type="application/json" id="undoku-about">([^<]*)</script>')


def about_element(about: Iterable[tuple[str, str]]) -> str:
    """The element with the given texts by name."""
    text = json.dumps(dict(about), ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="undoku-about">{text}</script>\n'


def about_in_page(page: str) -> dict[str, str]:
    """The texts by name in a page; {} if it has none, or if they are damaged."""
    found = _ELEMENT.search(page)
    try:
        content = json.loads(found[1]) if found else {}
    except ValueError:
        return {}
    if not isinstance(content, dict):
        return {}
    return {name: text for name, text in content.items() if isinstance(text, str)}
