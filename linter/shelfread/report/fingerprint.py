"""What a finding is known by from one run to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from shelfread.diagnostic import Severity
from shelfread.report.scene import findings
from shelfread.run import Run


def fingerprints(run: Run, least: Severity) -> Iterator[str]:
    """One for each finding, no two alike, with no line number in them."""
    seen: Counter[tuple[str, ...]] = Counter()
    for one, source in findings(run, least):
        line = source.lines[source.position(one.span.start)[0] - 1]
        key = (one.rule, one.path, " ".join(line.split()), one.message)
        seen[key] += 1
        told = "\0".join([*key, str(seen[key])])
        yield sha256(told.encode("utf-8", "surrogateescape")).hexdigest()
