"""Standard streams that are closed, full, or read by nobody."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import TextIO

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


def open_closed_streams() -> None:
    """Give each standard stream that the caller has closed (`>&-`) to the null device.

    Python has None for them, and the next file that is opened would take their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def discard(stream: TextIO) -> None:
    """Discard what is written to a stream from now on, and what Python would still flush to it at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def is_output_error(error: OSError) -> bool:
    """Return whether an error is that of writing to a stream, as on a full disk; a file would have a name."""
    return error.filename is None and error.errno in _UNWRITABLE
