"""What rules need of the clock."""

from __future__ import annotations

from datetime import date

from shelfread.core.inquiry import look


@look
def this_month() -> tuple[int, int]:
    """Return the current year and month, from 1."""
    today = date.today()
    return today.year, today.month
