#!/usr/bin/env python3
"""Which words of entries stand in no field: left_words.py FOLDER... [--least N] [--show N]

Where a list is misread, words are left. Printed are the lists in which entries leave at least N words, the worst first, with some of
those entries. It needs no gold, so it can be run on lists that nobody has read.
"""

from __future__ import annotations

import argparse
import html
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shelfread.core.source import Source
from shelfread.document.entry_data import exported_entry
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.load import load

_WORD = re.compile(r"[^\W_]+")
# What is no word of a text: addresses, tags, pictures, emoji and marks.
_NOT_WORDS = re.compile(
    r'\]\([^)\s]*(?:\s+"[^"]*")?\)|\]\[[^\]]*\]|<[^>]*>|https?://\S+|!\[[^\]]*\]|:[a-z0-9_+-]+:|\{[^}\n]{1,30}\}|[*_`]'
)
_SMALL = frozenset("and et al by in the authors author published title".split())
_MAX_ENTRY = 4000  # longer ones have more than one thing below them
_TEXTS, _LISTS = (
    ("title", "name", "description", "venue", "venue_text", "year"),
    ("authors", "affiliations", "notes"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--least", type=int, default=2)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    taxonomy, count = load(), 0
    lists: list[tuple[Path, int, list[str]]] = []
    for path in (path for folder in options.folders for path in sorted(folder.rglob("*.md"))):
        document = read(Source(path.read_text("utf-8", errors="replace"), path.name), taxonomy.vocabulary)
        exported = [exported_entry(entry, document, taxonomy) for entry in document.entries]
        count += len(exported)
        found = [said for left, said in left_words(document, exported) if left >= options.least]
        lists.append((path, len(exported), found))
    print(f"{sum(len(found) for *_, found in lists):,} of {count:,} entries leave words")
    for path, size, found in sorted(lists, key=lambda item: -len(item[2])):
        if found:
            print(f"{path}: {len(found)} of {size}")
            print(*(f"    {said}" for said in found[:: -(-len(found) // options.show)]), sep="\n")


def left_words(document: Document, exported: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    """Yield how many words of each entry stand in no field, and its line with them."""
    lines = document.source.text.split("\n")
    starts = sorted(entry["line"] for entry in exported)
    for entry in exported:
        below = bisect_right(starts, entry["line"])  # what is nested in an entry has words of its own
        end = min([entry["end_line"], *(start - 1 for start in starts[below : below + 1])])
        text = "\n".join(lines[entry["line"] - 1 : end])
        if len(text) > _MAX_ENTRY:
            continue
        values = [str(entry[key] or "") for key in _TEXTS] + [value for key in _LISTS for value in entry[key]]
        values += [f"{link['label']} {link['url']}" for link in entry["links"]]
        held = Counter(word for value in values for word in words_of(value))
        left = [word for word in words_of(_NOT_WORDS.sub(" ", html.unescape(text))) if not held[word]]
        left = [word for word in left if len(word) > 1 and not word.isdigit() and word not in _SMALL]
        yield len(left), f"{entry['line']}: {' '.join(left[:12])} | {' '.join(text.split())[:200]}"


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded."""
    return [word.casefold() for word in _WORD.findall(text)]


if __name__ == "__main__":
    main()
