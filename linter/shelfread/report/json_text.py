"""The JSON that the tool prints."""

from __future__ import annotations

import json
from typing import Any

from shelfread.core.support.regex import lazy

# Printed as they are, these end a line for some readers, or control a terminal, or are not UTF-8.
_UNSAFE = lazy(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def dumps(data: Any, indent: int | None = 2) -> str:
    """Return `data` as JSON text; without `indent` it is one line.

    Control characters are escaped, and so is the `[` of `##[`: GitHub's runner looks for commands in every line
    of a log.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent).replace("##[", "##\\u005b")
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
