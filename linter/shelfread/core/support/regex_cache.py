"""A cache of compiled regular expressions next to the modules, like Python's bytecode.

Compiling the patterns of one check takes longer than starting Python. `re` compiles a pattern to a list of numbers
for its engine; this list is cached for one build of Python, and the engine validates it when it is loaded. Whenever
something is unexpected, `re` compiles the pattern as usual.
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
from typing import Any, AnyStr, cast

from shelfread import __version__
from shelfread.core.support.resources import PACKAGE

_MOST = 3000
"""The most patterns that the cache keeps; old versions of a pattern stay until then."""

_FORM = 2
"""Changes with what is written to the cache."""

_MODULES = ("re._compiler", "re._parser") if sys.version_info >= (3, 11) else ("sre_compile", "sre_parse")

_Kept = dict[tuple[Any, int], bytes]
"""What `re` passes to its engine, by pattern and flags; decoded when the pattern is used."""


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
    """Return the patterns that earlier runs compiled."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        stamp, kept = marshal.loads(_file().read_bytes())
        if stamp == _stamp() and len(kept) <= _MOST:
            return cast(_Kept, kept)
    return {}


def _keep() -> None:
    """Add the patterns that this run compiled, if the folder is writable."""
    from shelfread.core.atomic_write import write_new
    from shelfread.core.errors import InputError

    with suppress(OSError, ValueError, InputError):
        _file().parent.mkdir(exist_ok=True)
        write_new(_file(), marshal.dumps((_stamp(), _known() | _new)), overwrite=True)


def _file() -> Path:
    return PACKAGE / "__pycache__" / f"patterns.{sys.implementation.cache_tag}"


def _stamp() -> tuple[int, str, str]:
    """Return what identifies the engine: the form of the cache, the version of this package, the build of Python."""
    return _FORM, __version__, sys.version
