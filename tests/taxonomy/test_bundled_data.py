"""The bundled data is read alike by both of PyYAML's parsers: not every installation has the one in C."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from shelfread.core.errors import UserError
from shelfread.core.folders import PACKAGE, RULES, SCHEMA
from shelfread.core.yaml_files import YamlFile, read
from shelfread.rulebook.metadata import split_page
from shelfread.taxonomy.load import load

DATA = [*SCHEMA.rglob("*.yaml"), *PACKAGE.rglob("*.yaml")]


def bundled_data() -> dict[Path, object]:
    data: dict[Path, object] = {path: read(path, UserError).data for path in DATA}
    for page in RULES.glob("*/*.md"):
        data[page] = YamlFile(split_page(page)[0], str(page), UserError).data
    return data


@pytest.mark.slow
def test_the_parser_in_python_reads_all_bundled_data(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = bundled_data()
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert bundled_data() == expected


def test_a_list_is_compared_with_forms_by_the_parser_in_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    own = tmp_path / "own.yaml"
    own.write_text("extends: forms\nconcepts:\n  cat: {prefLabel: Cats}\n")
    assert "benchmark" in load(str(own)).forms
