"""Writes the page of an audit: a template, a style sheet and a script of this folder, and the data between them."""

from __future__ import annotations

from pathlib import Path

from shelfread.audit.page.data import page_data
from shelfread.audit.summary import Summary
from shelfread.exports.page.template import fill

_FOLDER = Path(__file__).parent


def render(summary: Summary) -> str:
    """Return the page as HTML; it needs no other file and sends no request."""
    data = page_data(summary)
    return fill(
        _FOLDER / "audit.html",
        data["title"],
        data,
        scripts=[_FOLDER / "audit.js"],
        styles=[_FOLDER / "audit.css"],
    )
