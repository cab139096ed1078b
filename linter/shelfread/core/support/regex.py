"""Regular expressions: those of this package, compiled on first use, and untrusted ones.

Compiling takes long. Only patterns that nearly every list needs are compiled at import, by `re`. An untrusted
pattern can take exponential time in Python's engine, so google-re2 runs it, in linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, AnyStr, NewType, cast

from shelfread.core.support.regex_cache import compile_pattern

Pattern = NewType("Pattern", str)
"""A pattern of a rule page, a configuration or a taxonomy."""

_METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Lazy:
    """A pattern that is compiled when one of its methods is first used."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._source = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled: Any = compile_pattern(*self._source)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern that is compiled on first use."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


class PatternError(ValueError):
    """A pattern that google-re2 does not support, and why."""


@cache
def compile_untrusted(pattern: str) -> re.Pattern[str]:
    """Compile an untrusted pattern to search in linear time. Raises PatternError if it is not supported."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return cast("re.Pattern[str]", re2.compile(pattern, options))
    except re2.error as wrong:
        message = wrong.args[0].decode("utf-8", "replace") if wrong.args else ""
        unsupported = message.startswith(("invalid perl operator", "invalid escape sequence"))
        raise PatternError(f"{message}{_UNSUPPORTED if unsupported else ''}") from None


_UNSUPPORTED = " (look-around and back-references are not supported: they can take exponential time)"
