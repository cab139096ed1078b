"""Fingerprints as short texts, by which services recognise a finding in the next run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.engine.model import RunResult


def keyed_findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source, str]]:
    """Yield the findings with their sources and unique keys; `run` must have its fingerprints."""
    for result in run.files:
        seen: Counter[tuple[str, ...]] = Counter()
        for diagnostic, print in zip(result.diagnostics, result.fingerprints, strict=True):
            seen[print] += 1
            if diagnostic.severity >= min_severity:
                text = "\0".join([result.path, *print, str(seen[print])])
                yield diagnostic, result.source, sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
