"""Regular expressions that most runs do without, compiled when first used: compiling is dear.

What nearly every list needs is compiled by `re` where it stands.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """Stands for a pattern; its methods become its own attributes with the first use of any."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: Any = re.compile(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern, but for the moment at which it is compiled."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))


def lazy_bytes(pattern: bytes) -> re.Pattern[bytes]:
    """The same over bytes."""
    return cast("re.Pattern[bytes]", _Lazy(pattern))
