"""What identifies the code that makes results: this package with its rules and schemas, Python, and libraries."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b

from shelfread import __version__
from shelfread.core.support.resources import PACKAGE, RULES, SCHEMA

_LIBRARIES = ("markdown_it_py-", "mdurl-", "github_slugger-", "google_re2-", "rapidfuzz-")
"""The libraries that decide how a list is read, by the beginning of the folder with their metadata."""
_FORM = 1
"""Of the rows; another one is never read."""


@cache
def code_stamp() -> str:
    """Return a digest that changes when results may: at every upgrade, and in a checkout with every edit."""
    installed = PACKAGE.parent / f"shelfread-{__version__}.dist-info" / "RECORD"
    try:
        status = installed.stat()
        own: object = [status.st_mtime_ns, status.st_size, status.st_ino]
    except OSError:
        own = sorted(_files())
    stamp = [_FORM, __version__, str(PACKAGE), sys.implementation.cache_tag, own, _libraries()]
    return blake2b(repr(stamp).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _files() -> Iterator[tuple[str, int, int]]:
    """Yield the files of a checkout with their times and sizes."""
    folders = [str(PACKAGE), str(RULES), str(SCHEMA)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                elif not entry.name.startswith("."):
                    status = entry.stat()
                    yield entry.path, status.st_mtime_ns, status.st_size


def _libraries() -> list[str]:
    """Return the installed versions of the libraries, in the order in which Python finds them."""
    found: list[str] = []
    for folder in sys.path:
        with suppress(OSError):
            found += sorted(name for name in os.listdir(folder or ".") if name.startswith(_LIBRARIES))
    return found
