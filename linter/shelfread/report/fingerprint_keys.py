"""What services know a finding by from one run to the next: its fingerprint as one short text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from shelfread.core.diagnostics import Severity
from shelfread.engine.model import RunResult


def keys(run: RunResult, min_severity: Severity) -> Iterator[str]:
    """One for each finding that is shown, in order, no two alike; the run has its fingerprints."""
    for outcome in run.outcomes:
        seen: Counter[tuple[str, ...]] = Counter()
        for one, print in zip(outcome.diagnostics, outcome.prints, strict=True):
            seen[print] += 1
            if one.severity >= min_severity:
                told = "\0".join([outcome.path, *print, str(seen[print])])
                yield sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
