"""The JSON that the tool prints."""

from __future__ import annotations

import json
from typing import Any

from shelfread.core.patterns import lazy

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
    text = json.dumps(data, ensure_ascii=False, indent=indent).replace("##[", "##\\u005b")
    return without_unsafe(text)


def without_unsafe(text: str) -> str:
    """Return JSON text in which characters are escaped that no output may have as they are."""
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text)
