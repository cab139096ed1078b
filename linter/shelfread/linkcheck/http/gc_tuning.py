"""Python's garbage collector, kept from going over the same things again and again while links are looked at."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 10_000
"""Objects between two rounds over the new ones; Python's own 700 to 2,000 are ten links' worth."""


@contextmanager
def relieved() -> Iterator[None]:
    """Within, the lists that were read are passed over, and rounds are fewer.

    Answers were seen to leave no cycles behind: what dies is freed at once without the collector. It stays on all the
    same, since some do when connections break.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(max(_YOUNG, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
