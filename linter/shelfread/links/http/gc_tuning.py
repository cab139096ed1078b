"""Tunes Python's garbage collector, which would scan the same objects over and over while links are checked."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_THRESHOLD = 10_000
"""New objects between two collections; Python's own 700 to 2,000 are reached after ten links."""


@contextmanager
def fewer_collections() -> Iterator[None]:
    """Skip the existing objects, such as parsed lists, and collect less often.

    Requests leave no reference cycles behind, so nearly everything is freed without the collector. It stays enabled
    because some cycles are left when connections break.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(_THRESHOLD, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
