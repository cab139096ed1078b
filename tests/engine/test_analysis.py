"""After an edit, the findings are exactly those of a full run."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.model import RunRequest
from shelfread.engine.run import run
from shelfread.project.config import EMPTY
from shelfread.rulebook.binding import bind
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load
from support.edited_project import EditedProject
from support.edits import edited, joined_examples
from support.examples import CARDS

_PRESETS = ("core", "papers", "awesome", "strict")
_CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
_BY_SECTION = [id for id, card in CARDS.items() if bind(card).by_section]


def _request(
    texts: Mapping[str, str],
    presets: tuple[str, ...] = (),
    rules: tuple[str, ...] = (),
    taxonomy: str | None = None,
) -> RunRequest:
    unsaved = {path: text.encode() for path, text in texts.items()}
    return RunRequest(
        tuple(texts), (), select(EMPTY, presets, rules), load(taxonomy), unsaved=unsaved, show_info=True
    )


def _full(request: RunRequest) -> dict[str, tuple[Diagnostic, ...]]:
    return {file.path: tuple(file.diagnostics) for file in run(request).files}


@pytest.mark.parametrize("seed", range(8))
def test_findings_are_those_of_a_full_run_after_random_edits(seed: int) -> None:
    chance = random.Random(seed)
    presets = _PRESETS if seed % 2 else ()
    text = joined_examples(chance, 10)
    project = EditedProject(_request({"README.md": text}, presets))
    for _ in range(12):
        assert project.findings("README.md") == _full(_request({"README.md": text}, presets))["README.md"]
        text = edited(chance, text)
        project = project.edit("README.md", text)
    assert project.findings("README.md") == _full(_request({"README.md": text}, presets))["README.md"]


@pytest.mark.parametrize("rule", _BY_SECTION)
def test_a_check_that_reads_by_section_asks_for_all_that_it_needs(rule: str) -> None:
    """Run alone on its own examples, joined and edited, a check finds the same by sections as in the whole file."""
    chance = random.Random(rule)
    text = joined_examples(chance, 5, rule)
    project = EditedProject(_request({"list.md": text}, rules=(rule,)))
    for _ in range(8):
        assert project.findings("list.md") == _full(_request({"list.md": text}, rules=(rule,)))["list.md"]
        text = edited(chance, text)
        project = project.edit("list.md", text)


@pytest.mark.parametrize("seed", range(4))
def test_findings_in_other_files_follow(seed: int) -> None:
    chance = random.Random(seed)
    taxonomy = "ml-systems" if seed % 2 else None
    texts = {name: joined_examples(chance, 4) for name in ("README.md", "docs/a.md", "docs/b.md")}
    texts["docs/links.md"] = "# Links\n\n" + "".join(
        f"- [Text {number}](../README.md#section-{number}) - A section.\n" for number in range(6)
    )
    project = EditedProject(_request(texts, taxonomy=taxonomy))
    for _ in range(8):
        path = chance.choice(list(texts))
        texts[path] = edited(chance, texts[path])
        project = project.edit(path, texts[path])
        expected = _full(_request(texts, taxonomy=taxonomy))
        assert {path: project.findings(path) for path in texts} == expected


def test_an_analysis_does_not_change() -> None:
    text = "# A\n\n## B\n\n- [b](http://github.com/b) - B.\n\n## C\n\n- [c](http://github.com/c) - C.\n"
    first = EditedProject(_request({"list.md": text}))
    before = first.findings("list.md")
    one, other = (first.edit("list.md", text.replace("http://", scheme)) for scheme in ("https://", "ftp://"))
    assert one.findings("list.md") != before
    assert first.findings("list.md") == before == other.edit("list.md", text).findings("list.md")


def test_the_document_is_the_one_that_is_read() -> None:
    text = joined_examples(random.Random(3), 8)
    project = EditedProject(_request({"list.md": text}))
    text = text.replace("Section 4", "Another section")
    project = project.edit("list.md", text)
    document = read(Source(text, "list.md"), load(None).vocabulary)
    found = project.document("list.md")
    assert (found.tree, found.sections, found.entries) == (document.tree, document.sections, document.entries)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "# Licence\n\nPermission is hereby granted, free of charge, to [you](missing.md).\n", id="no list"
        ),
        pytest.param("# A\r\n\n- [a](http://github.com/a)\n", id="several newlines"),
    ],
)
def test_a_file_without_parts_is_read_at_once(text: str) -> None:
    project = EditedProject(_request({"LICENSE.md": "# A\n"})).edit("LICENSE.md", text)
    assert project.findings("LICENSE.md") == _full(_request({"LICENSE.md": text}))["LICENSE.md"]


@pytest.mark.slow
@pytest.mark.skipif(not _CORPUS.is_dir(), reason="needs real lists beside the repository")
@pytest.mark.parametrize("seed", range(6))
def test_findings_in_real_lists_are_those_of_a_full_run(seed: int) -> None:
    chance = random.Random(seed)
    lists = sorted(path for path in _CORPUS.glob("*/*.md") if 8_000 < path.stat().st_size < 60_000)
    for path in chance.sample(lists, 3):
        text = path.read_text("utf-8", "replace").lstrip("\ufeff")
        project = EditedProject(_request({"README.md": text}))
        for _ in range(8):
            text = edited(chance, text)
            project = project.edit("README.md", text)
            assert project.findings("README.md") == _full(_request({"README.md": text}))["README.md"]
