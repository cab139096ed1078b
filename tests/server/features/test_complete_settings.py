"""What may be written in configurations and taxonomies."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

from shelfread.core.source import Source
from shelfread.server.features.complete_settings import complete_settings
from shelfread.server.features.cursor import cursor_at
from shelfread.server.positions import Positions
from support.marked import MARK


def items(text: str, path: str = "lists/.shelfread.yaml") -> dict[str, lsp.CompletionItem]:
    source = Source(text.replace(MARK, ""), path)
    cursor = cursor_at(source, text.index(MARK), Positions(source))
    return {item.label: item for item in complete_settings(cursor, source)}


def written(text: str, label: str, path: str = "lists/.shelfread.yaml") -> str:
    source = Source(text.replace(MARK, ""), path)
    edit = items(text, path)[label].text_edit
    assert isinstance(edit, lsp.TextEdit)
    start, end = Positions(source).span(edit.range)
    return source.text[:start] + edit.new_text + source.text[end:]


def test_keys_of_a_configuration() -> None:
    found = items("pre‸\n")
    assert {"presets", "select", "rules", "taxonomy"} <= found.keys()
    assert found["slugs"].detail == "How headings become anchors. Default: github."
    assert written("taxonomy: x\npre‸\n", "presets") == "taxonomy: x\npresets: \n"
    assert {"bullet", "number"} <= items("format:\n  ‸\n").keys()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("presets: [core, pa‸]\n", "papers"),
        ("presets:\n  - ‸\n", "papers"),
        ("presets:\n- ‸\n", "papers"),
        ("select: ‸\n", "link"),
        ("select: [entry, li‸]\n", "link/missing-anchor"),
        ("ignore:\n  - entry/order\n  - ‸\n", "link/missing-anchor"),
        ("rules:\n  ‸\n", "link/missing-anchor"),
        ("rules:\n  link/insecure: ‸\n", "off"),
        ("taxonomy: ‸\n", "machine-learning"),
        ("slugs: ‸\n", "gitbook"),
        ("fail-on: ‸\n", "warning"),
        ("format:\n  bullet: ‸\n", "majority"),
    ],
)
def test_values_of_a_configuration(text: str, label: str) -> None:
    assert label in items(text)
    assert label in written(text, label)


TAXONOMY = "title: Mine\nextends: ml-systems\nconcepts:\n  first:\n    prefLabel: First\n  second:\n    {}\n"


@pytest.mark.slow
@pytest.mark.parametrize("line", ["broader: ‸", "broader: [first, ‸]", "related:\n      - fi‸"])
def test_concepts_of_a_taxonomy(line: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(TAXONOMY.format("prefLabel: Second"))
    found = items(TAXONOMY.format(line), str(file))
    assert found["first"].detail == "First"
    assert len(found) > 10  # those that it extends too


def test_keys_and_roles_of_a_concept(tmp_path: Path) -> None:
    path = str(tmp_path / "none.yaml")
    assert {"prefLabel", "broader", "definition"} <= items(TAXONOMY.format("‸"), path).keys()
    assert {"paper", "code"} <= items(TAXONOMY.format("links: [‸]"), path).keys()
    assert items(TAXONOMY.format("broader: ‸"), path) == {}  # it is not saved


@pytest.mark.parametrize(
    ("text", "path"), [("a: ‸\n", "other.yaml"), ("key: # ‸\n", ".shelfread.yaml"), ("‸", "a.yml")]
)
def test_nothing_in_other_files_and_comments(text: str, path: str) -> None:
    assert items(text, path) == {}
