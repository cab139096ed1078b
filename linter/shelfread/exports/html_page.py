"""Fills the template of a page: a style sheet, scripts, and the data that they draw.

The browser runs these scripts only: the content policy names them by their hash, and forbids requests.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "assets"
# Within a script element no text may look like its end, nor like a comment.
_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&"})


def fill(
    template: Path, title: str, data: Any, *, scripts: Sequence[Path], styles: Sequence[Path] = ()
) -> str:
    """Return a page as HTML; `scripts` come after `elements.js`, `styles` after `page.css`."""
    style = _joined([_FOLDER / "page.css", *styles])
    script = _joined([_FOLDER / "elements.js", *scripts])
    parts = {
        "policy": f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "title": escape(_printable(title)),
        "style": style,
        "data": _embedded(data),
        "script": script,
    }
    before, *rest = template.read_text("utf-8").split("{{")
    pieces = [before]
    for piece in rest:
        name, _, text = piece.partition("}}")
        pieces += parts[name], text
    return "".join(pieces)


def _joined(files: Sequence[Path]) -> str:
    return "".join(file.read_text("utf-8") for file in files)


def _hash(text: str) -> str:
    """Return the source expression of an inline element (https://www.w3.org/TR/CSP3/#grammardef-hash-source)."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_ESCAPES).encode("utf-8", "backslashreplace").decode()


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())
