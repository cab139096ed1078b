"""A classic list of twelve entries that are all alike, and what a check finds in such a list."""

from __future__ import annotations

from support.project import run

LINE = "- [{0}](https://example.org/{0}) - {1}\n"
WORDS = "Measures Traces Scans Captures Searches Relays Asks Sends Serves Counts Draws Mirrors".split()
TEN = "".join(LINE.format(word.lower() + "r", f"{word} packets.") for word in WORDS)


def texts(check: object, text: str, **options: object) -> list[str]:
    return [one.text for one in run(check, text, **options)]  # type: ignore[arg-type]
