"""Regular expressions: our own that most runs do without, and those of strangers.

Compiling is dear, so that ours are compiled when first used; what nearly every list needs is compiled by `re`
where it stands. A stranger's may hang Python's engine for ever: google-re2 runs them, in linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NewType, cast

from shelfread.core.support.regex_cache import compile_pattern

Pattern = NewType("Pattern", str)
"""The text of a pattern that a page, a config or a taxonomy gives."""

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """Stands for a pattern; its methods become its own attributes with the first use of any."""

    def __init__(self, pattern: Any, flags: int = 0) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: Any = compile_pattern(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled pattern, but for the moment at which it is compiled."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))


def lazy_bytes(pattern: bytes) -> re.Pattern[bytes]:
    """The same over bytes."""
    return cast("re.Pattern[bytes]", _Lazy(pattern))


class PatternError(ValueError):
    """A pattern that google-re2 cannot run; the message says why."""


@cache
def safe(pattern: str) -> re.Pattern[str]:
    """A stranger's pattern, which searches in linear time; raises PatternError."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return cast("re.Pattern[str]", re2.compile(pattern, options))
    except re2.error as wrong:
        said = wrong.args[0].decode("utf-8", "replace") if wrong.args else ""
        why = _WHY if said.startswith(("invalid perl operator", "invalid escape sequence")) else ""
        raise PatternError(f"{said}{why}") from None


_WHY = " (look-around and back-references are left out: with them a pattern can run for ever)"
