"""`paper/venue-unknown`."""

from __future__ import annotations
