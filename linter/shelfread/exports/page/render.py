"""Writes the page: a template, a style sheet and scripts of this folder, and the data between them."""

from __future__ import annotations

from pathlib import Path

from shelfread.exports.page.data import page_data
from shelfread.exports.page.listing import PageContent
from shelfread.exports.page.template import fill

_FOLDER = Path(__file__).parent


def render(content: PageContent) -> str:
    """Return the page as HTML; it needs no other file and sends no request."""
    data = page_data(content)
    return fill(_FOLDER / "page.html", data["title"], data, scripts=[_FOLDER / "page.js"])
