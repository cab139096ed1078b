"""Entries of an awesome list for tests of checks."""

from __future__ import annotations

_VERBS = "Measures Traces Scans Captures Searches Relays Asks Sends Serves Counts Draws Mirrors".split()
ENTRIES = "".join(
    f"- [{verb.lower()}r](https://example.org/{verb.lower()}r) - {verb} packets.\n" for verb in _VERBS
)
