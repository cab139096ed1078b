"""Regular expressions: those of this package, compiled on first use and cached like bytecode, and untrusted ones.

Compiling the patterns of one check takes longer than starting Python. `re` compiles a pattern to a list of numbers for its
engine; this list is cached beside the modules for one build of Python, and the engine validates it when it is loaded.
Whenever something is unexpected, `re` compiles the pattern as usual. An untrusted pattern can take exponential time in
Python's engine, so google-re2 runs it, in linear time.
"""

from __future__ import annotations

import atexit
import marshal
import re
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, AnyStr, NewType, cast

from shelfread import __version__
from shelfread.core.folders import PACKAGE

_MOST = 3000  # the most patterns that the cache keeps; old versions of a pattern stay until then

_FORM = 2  # changes with what is written to the cache

_MODULES = ("re._compiler", "re._parser") if sys.version_info >= (3, 11) else ("sre_compile", "sre_parse")

# What `re` passes to its engine, by pattern and flags; decoded when the pattern is used.
_Kept = dict[tuple[Any, int], bytes]


def compile_pattern(pattern: AnyStr, flags: int) -> re.Pattern[AnyStr]:
    """Return what `re.compile` returns."""
    flags = int(flags)
    known = _known()
    with suppress(Exception):
        kept = known.get((pattern, flags))
        if kept is None:
            kept = marshal.dumps(_made(pattern, flags))
            if not _new:
                atexit.register(_keep)
            known[pattern, flags] = _new[pattern, flags] = kept
        return cast("re.Pattern[AnyStr]", import_module("_sre").compile(pattern, *marshal.loads(kept)))
    return re.compile(pattern, flags)


_new: _Kept = {}


def _made(pattern: AnyStr, flags: int) -> tuple[Any, ...]:
    """Return what `re` passes to its engine: flags, code, number and names of the groups."""
    compiler: Any = import_module(_MODULES[0])
    parser: Any = import_module(_MODULES[1])
    parsed: Any = parser.parse(pattern, flags)
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, number in state.groupdict.items():
        names[number] = name
    code = [*map(int, compiler._code(parsed, flags))]
    return int(flags | state.flags), code, state.groups - 1, state.groupdict, tuple(names)


@cache
def _known() -> _Kept:
    return _read()


def _read() -> _Kept:
    with suppress(OSError, ValueError, EOFError, TypeError):
        stamp, kept = marshal.loads(_file().read_bytes())
        if stamp == _stamp() and len(kept) <= _MOST:
            return cast(_Kept, kept)
    return {}


def _keep() -> None:
    """Add the patterns that this run compiled to those that are kept by now, if the folder is writable."""
    from shelfread.core.errors import InputError
    from shelfread.core.file_writing import write_new

    with suppress(OSError, ValueError, InputError):
        _file().parent.mkdir(exist_ok=True)
        write_new(_file(), marshal.dumps((_stamp(), _read() | _new)), overwrite=True)


def _file() -> Path:
    return PACKAGE / "__pycache__" / f"patterns.{sys.implementation.cache_tag}"


def _stamp() -> tuple[int, str, str]:
    """Return what identifies the engine: the form of the cache, the version of this package, the build of Python."""
    return _FORM, __version__, sys.version


Pattern = NewType("Pattern", str)  # a pattern of a rule page, a configuration or a taxonomy

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
