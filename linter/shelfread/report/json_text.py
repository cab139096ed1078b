"""JSON that every reader takes."""

from __future__ import annotations

import json
from typing import Any


def dumps(data: Any) -> str:
    """JSON text in which nothing is a command to GitHub's runner, which looks for `##[` in every line of a log."""
    return json.dumps(data, ensure_ascii=False, indent=2).replace("##[", "##\\u005b")
