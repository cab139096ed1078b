"""Documents as curators have them, each with the entries that a person reads in it (tests/data/imports)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from shelfread.core.source import Source
from shelfread.imports.import_entries import Import, read_import, recognise
from shelfread.taxonomy.load import load
from support.paths import ROOT

DOCUMENTS = sorted(
    path for path in (ROOT / "tests/data/imports").iterdir() if not path.name.endswith(".expected.json")
)
GOLD, SEEDS = ROOT.parent / "shared/gold", ROOT.parent / "shared/seeds"


def imported(path: Path) -> tuple[str, Import]:
    source = Source.from_bytes(path.read_bytes(), path.name)
    kind = recognise(source)
    return kind, read_import(source, kind, load())


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_is_read_as_a_person_reads_it(path: Path) -> None:
    expected: dict[str, Any] = json.loads(
        path.with_name(f"{path.name}.expected.json").read_text(encoding="utf-8")
    )
    kind, found = imported(path)
    assert kind == expected["kind"]
    assert [
        _stated(entry, keys) for entry, keys in zip(found.entries, expected["entries"], strict=True)
    ] == expected["entries"]
    assert [[part.line, part.reason] for part in found.unread] == expected["unread"]


def _stated(entry: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    flat = {
        **entry,
        "urls": [link["url"] for link in entry["links"]],
        "labels": [link["label"] for link in entry["links"]],
    }
    flat |= {key: value for key, value in entry["identifiers"].items() if value}
    return {key: flat.get(key) for key in keys}


@pytest.mark.parametrize(("number", "least"), [(0, 1.0), (1, 0.98), (2, 0.98), (3, 0.93), (4, 0.98)])
def test_documents_read_by_hand(number: int, least: float) -> None:
    """Two venues of document 3 are cut off so short that only somebody who knows the papers can name them."""
    if not GOLD.is_dir():
        pytest.skip("the documents are not here")
    gold = json.loads((GOLD / f"s{number}.json").read_text(encoding="utf-8"))
    (path,) = SEEDS.glob(f"{number:03d}_*")
    _, found = imported(path)
    assert len(found.entries) == len(gold)
    pairs = [
        (entry[field], expected[field])
        for entry, expected in zip(found.entries, gold, strict=True)
        for field in ("title", "name", "venue", "year")
        if field in expected
    ]
    assert sum(given == expected for given, expected in pairs) >= least * len(pairs)
