"""The JSON that the tool prints."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from shelfread.core.support.regex import lazy

# Printed as they are, these end a line for some readers, control a terminal, are not seen, turn the direction of
# what is read, or are not UTF-8.
_UNSAFE = lazy(
    r"[\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)


def dumps(data: Any, indent: int | None = 2) -> str:
    """Return `data` as JSON text; without `indent` it is one line.

    Control and bidi characters are escaped, and so is the `[` of `##[`: GitHub's runner looks for commands in every line
    of a log.
    """
    text = json.dumps(data, ensure_ascii=False) if indent is None else _indented(data, "\n", " " * indent)
    text = text.replace("##[", "##\\u005b")
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _indented(data: Any, newline: str, indent: str) -> str:
    """Return what `json.dumps` returns with an indent, for which `json` takes twice as long."""
    if isinstance(data, str):
        return encode_basestring(data)
    if type(data) is int:
        return str(data)
    inner = newline + indent
    if data and isinstance(data, dict):
        items = [
            f"{encode_basestring(key)}: {_indented(value, inner, indent)}" for key, value in data.items()
        ]
        return f"{{{inner}{f',{inner}'.join(items)}{newline}}}"
    if data and isinstance(data, list | tuple):
        items = [_indented(value, inner, indent) for value in data]
        return f"[{inner}{f',{inner}'.join(items)}{newline}]"
    return json.dumps(data)
