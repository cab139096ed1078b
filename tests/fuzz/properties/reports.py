"""Reports in every format: each is read again by a reader of that format."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz.faults import Fault
from fuzz.properties.printed import fit_to_print
from shelfread.engine.model import RunResult
from support.reports import READERS, written


def unreadable_reports(run: RunResult) -> Iterator[Fault]:
    """Yield a fault for each report that is not of its format, or that cannot be printed."""
    for form, read in READERS.items():
        report = written(form, run)
        try:
            read(report)
        except Exception as error:
            yield Fault(f"report {form}: {type(error).__name__}", str(error)[:300])
        yield from fit_to_print(f"report {form}", report)
