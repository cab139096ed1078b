"""Exported entries are what schema/entry.schema.json says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from shelfread.core.folders import SCHEMA
from shelfread.core.source import Source
from shelfread.document.entry_data import entry_data
from shelfread.document.read import read
from shelfread.taxonomy.load import load
from support.paths import DATA

CASES = sorted((DATA / "entries").glob("*.md"))
TAXONOMY = load(None)


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads((SCHEMA / "entry.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_entries_are_valid(path: Path, validator: Draft202012Validator) -> None:
    parts = re.split(r"^\.\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for text in parts[1::3]:
        document = read(Source.from_bytes(text.encode(), "lists/list.md"), TAXONOMY.vocabulary)
        for entry in document.entries:
            data = entry_data(entry, document, TAXONOMY)
            assert not list(validator.iter_errors(data)), data
            assert data == json.loads(json.dumps(data))
            assert data["path"] == "lists/list.md"
