"""How many wrong fields are marked as uncertain, and how many of those marks stand on wrong fields.

    python benchmarks/uncertainty.py GOLD CORPUS [-v]
    python benchmarks/uncertainty.py --forms [COUNT] [-v]

GOLD has a JSON file for each list, with entries that were read by hand: what it leaves null is not judged, unless nothing was
read either and the field is marked. Descriptions are compared without marks, badges and links. With `--forms`, the lists are
generated: each in a form of its own, of papers at venues that nobody knows.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from list_forms import generate
from shelfread.core.source import Source
from shelfread.document.entry_data import MAY_BE_UNCERTAIN, exported_entry
from shelfread.document.read import read
from shelfread.taxonomy.load import load

_BADGE = r"\[?!\[[^\[\]]*\](?:\([^)]*\)|\[[^\[\]]*\])(?:\]\([^)]*\))?"
_BEHIND = re.compile(rf"{_BADGE}|\(?\[[^\[\]]*\]\([^)]*\)[,)]*|`[^`]*`|<[^>]+>|[*_]")
_SHOWN = re.compile(rf"{_BADGE}|<[^>]+>|\]\([^)]*\)|:[a-z_]+:")


class Mark(NamedTuple):
    """A field of an entry: what was read, what a person read, and whether it is marked."""

    where: str
    field: str
    read: Any
    gold: Any
    is_right: bool
    is_marked: bool


def fold(value: object) -> str:
    """Return the words of a value, without badges and marks."""
    text = "; ".join(value) if isinstance(value, list) else str(value or "")
    return re.sub(r"\W+", " ", re.sub(r"[*_]+", "", _SHOWN.sub(" ", text))).casefold().strip()


def venue_words(value: object) -> str:
    """Return the words of a venue without years."""
    return " ".join(re.sub(r"\b(?:(?:19|20)\d\d|['’]?\d\d)\b", "", fold(value)).split())


def same_text(value: object, expected: object) -> bool:
    """Return whether two descriptions are the same, with or without links and code behind them."""
    bare = (fold(_BEHIND.sub(" ", str(text or ""))) for text in (value, expected))
    return fold(value) == fold(expected) or len(set(bare)) == 1


def judge(
    where: str, entry: Mapping[str, Any], gold: Mapping[str, Any], is_whole: bool = False
) -> Iterator[Mark]:
    """Yield the fields of an entry of which gold says something; of `is_whole` gold all."""
    marked = entry.get("uncertain", ())
    for field in MAY_BE_UNCERTAIN:
        value, expected = entry[field], gold.get(field)
        is_right = fold(value) == fold(expected)
        if field == "description":
            is_right = same_text(value, expected)
        elif field == "venue":
            cited = {venue_words(entry["venue_text"]), venue_words(value)} - {""}
            is_right = is_right or not cited.isdisjoint(map(venue_words, (expected, gold.get("venue_text"))))
        if expected or is_whole or (field in marked and not value and field in gold):
            yield Mark(where, field, value, expected, is_right, field in marked)


def judge_lists(gold_folder: Path, corpus: Path) -> Iterator[Mark]:
    """Yield the fields of the entries of real lists that a person read."""
    taxonomy = load()
    for path in sorted(gold_folder.glob("*.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        folder = corpus / gold["repo"].replace("/", "__", 1)
        source = Source.from_bytes((folder / gold["file"]).read_bytes(), gold["file"])
        document = read(source, taxonomy.vocabulary)
        by_line: dict[int, list[dict[str, Any]]] = {}
        for entry in document.entries:
            by_line.setdefault(entry.line, []).append(exported_entry(entry, document, taxonomy))
        for expected in gold["entries"]:
            line = expected["line"]
            near = [entry for at in (line, line - 1, line + 1) for entry in by_line.get(at, ())]
            same = (entry for entry in near if fold(entry["title"]) == fold(expected["title"]))
            if (entry := next(same, near[0] if near else None)) is not None:
                yield from judge(f"{gold['repo']}:{line}", entry, expected)


def judge_forms(count: int) -> Iterator[Mark]:
    """Yield the fields of the entries of generated lists."""
    taxonomy = load()
    for number, (form, text, gold) in enumerate(generate(count)):
        document = read(Source.from_bytes(text.encode(), "README.md"), taxonomy.vocabulary)
        by_line = {
            entry.line: exported_entry(entry, document, taxonomy) for entry in reversed(document.entries)
        }
        for expected in gold:
            if entry := by_line.get(expected["line"]):
                if expected["year"] is None and entry["year"] and _is_from_arxiv(entry):
                    expected["year"] = entry["year"]
                where = f"{number} {'/'.join(form)} {expected['line']}"
                yield from judge(where, entry, expected, is_whole=True)


def _is_from_arxiv(entry: Mapping[str, Any]) -> bool:
    """Return whether the year of an entry is that of its arXiv id."""
    arxiv = entry["identifiers"].get("arxiv") or ""
    return arxiv[:2] == str(entry["year"])[-2:]


def counts(marks: list[Mark]) -> str:
    wrong, marked = [mark for mark in marks if not mark.is_right], [mark for mark in marks if mark.is_marked]
    both = sum(not mark.is_right for mark in marked)
    return f"{both}/{len(wrong)} wrong marked, {both}/{len(marked)} marks on wrong, {len(marks)} fields"


def main() -> None:
    verbose = "-v" in sys.argv
    arguments = [word for word in sys.argv[1:] if word != "-v"]
    if "--forms" in arguments:
        marks = list(judge_forms(int(arguments[1]) if len(arguments) > 1 else 400))
    else:
        marks = list(judge_lists(Path(arguments[0]), Path(arguments[1])))
    for mark in marks:
        if verbose and mark.is_marked == mark.is_right:
            says = "marked" if mark.is_marked else "missed"
            print(f"{says} {mark.where} {mark.field}: {mark.read!r}, a person read {mark.gold!r}")
    for field in MAY_BE_UNCERTAIN:
        print(f"{field:13}", counts([mark for mark in marks if mark.field == field]))
    print(f"{'all':13}", counts(marks))


if __name__ == "__main__":
    main()
