"""`taxonomy/entry`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shelfread.checks.taxonomy.entry import entry
from shelfread.checks.taxonomy.section import section
from shelfread.taxonomy.load import load
from support.project import run
from support.taxonomies import CONCEPTS, ENTRY, write_taxonomy

SCHEMA = """
entry:
  properties:
    year: {type: integer, minimum: 2010, description: 'Give the year, 2010 or later.'}
    links: {minItems: 2, items: {properties: {url: {maxLength: 60, description: Link the short address.}}}}
  required: [title]
  description: An entry has a year.
"""


def test_nothing_is_reported_without_a_taxonomy() -> None:
    assert run(entry, f"## Gardening\n\n{ENTRY}") == []


def test_a_violation_is_reported_at_its_field_in_the_words_of_the_schema(tmp_path: Path) -> None:
    taxonomy = write_taxonomy(tmp_path, CONCEPTS + SCHEMA)
    url = "https://example.org/" + "x" * 60
    text = f"- A Study of Jobs (OSDI 2006) [[Paper]({url})] [[Code](https://github.com/a/b)]\n- A Study [[Paper](u)]\n"
    assert [
        (diagnostic.line, diagnostic.text, diagnostic.place.message, diagnostic.place.values)
        for diagnostic in run(entry, text, taxonomy)
    ] == [
        (1, "OSDI 2006", "described", {"description": "Give the year, 2010 or later."}),
        (1, "Paper", "described", {"description": "Link the short address."}),
        (2, "A Study", "described", {"description": "Give the year, 2010 or later."}),
        (2, "A Study", "long-value", {"field": "links", "error": "is too short"}),
    ]


def test_jsonschema_is_imported_only_for_a_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert run(entry, ENTRY) == []
    assert run(section, f"## Inference\n\n{ENTRY}", load("ml-systems")) == []
