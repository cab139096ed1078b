"""Compare what `shelfread import` reads of documents with entries that were read by hand.

    python benchmarks/import_gold.py DOCUMENTS GOLD

DOCUMENTS is a folder of texts whose names begin with a number (`001_...`), GOLD one with `s1.json` for the text 001:
arrays of entries with title, name, venue, year (null for what is not stated) and perhaps authors and arxiv.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from shelfread.core.source import Source
from shelfread.imports.import_entries import KINDS, read_import, recognise
from shelfread.taxonomy.load import load

FIELDS = ("title", "name", "venue", "year", "authors", "arxiv")


def compare(document: Path, gold: list[dict[str, Any]]) -> tuple[str, Counter[str], list[str]]:
    """Return the kind, how many entries and fields are right, and a line for each that is wrong."""
    source = Source.from_bytes(document.read_bytes(), document.name)
    kind = recognise(source)
    found = read_import(source, kind, load()).entries
    for entry in found:
        entry["arxiv"] = entry["identifiers"]["arxiv"]
    count: Counter[str] = Counter(entries=len(gold), found=0, invented=0)
    wrong: list[str] = []
    rest = list(found)
    for expected in gold:
        match = next((entry for entry in rest if _same(entry, expected)), None)
        if match is None:
            wrong.append(f"not found: {expected['title']}")
            continue
        rest.remove(match)
        count["found"] += 1
        for field in FIELDS:
            if field not in expected or (field == "arxiv" and expected[field] is None):
                continue
            count[f"{field} stated"] += 1
            if match[field] == expected[field]:
                count[f"{field} right"] += 1
            else:
                wrong.append(f"{field}: {match[field]!r}, not {expected[field]!r}, of {expected['title']}")
    count["invented"] = len(rest)
    wrong += [f"invented: {entry['title']}" for entry in rest]
    return KINDS[kind].label, count, wrong


def _same(entry: dict[str, Any], expected: dict[str, Any]) -> bool:
    title, other = _bare(entry["title"] or ""), _bare(expected["title"])
    if "line" in expected and entry["line"] != expected["line"]:
        return False
    return title[:20] == other[:20] or "line" in expected


def _bare(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))


def main() -> None:
    documents, gold = map(Path, sys.argv[1:])
    for path in sorted(gold.glob("s*.json")):
        for document in sorted(documents.glob(f"{int(path.stem[1:]):03d}_*")):
            entries = json.loads(path.read_text(encoding="utf-8"))
            label, count, wrong = compare(document, entries)
            fields = ", ".join(
                f"{field} {count[f'{field} right']}/{count[f'{field} stated']}"
                for field in FIELDS
                if count[f"{field} stated"]
            )
            print(
                f"{document.name}: {label}; {count['found']} of {count['entries']} entries, {count['invented']} invented; {fields}"
            )
            for line in wrong:
                print(f"    {line}")


if __name__ == "__main__":
    main()
