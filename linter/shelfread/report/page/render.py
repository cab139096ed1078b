"""Writes the page: a template, a style sheet and a script of this folder, and the data between them.

The browser runs the script of this folder only: the content policy names it by its hash, and forbids requests.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from shelfread.engine.page import PageContent
from shelfread.report.page.data import page_data

_FOLDER = Path(__file__).parent
# Within a script element no text may look like its end, nor like a comment.
_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def render(content: PageContent) -> str:
    """Return the page as HTML; it needs no other file and sends no request."""
    data = page_data(content)
    style, script = _read("page.css"), _read("page.js")
    parts = {
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": escape(_printable(data["title"])),
        "style": style,
        "data": _embedded(data),
        "script": script,
    }
    before, *rest = _read("page.html").split("{{")
    pieces = [before]
    for piece in rest:
        name, _, text = piece.partition("}}")
        pieces += parts[name], text
    return "".join(pieces)


def _read(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the source expression of an inline element (https://www.w3.org/TR/CSP3/#grammardef-hash-source)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_ESCAPES).encode("utf-8", "backslashreplace").decode()


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())
