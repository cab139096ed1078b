"""A list that is read part by part is the same document, whatever was edited before."""

from __future__ import annotations

import random

import pytest

from shelfread.core.source import Source
from shelfread.document.assemble import assemble, view
from shelfread.document.model import Document
from shelfread.document.parts import Parts, read_parts
from shelfread.document.read import read
from shelfread.index.facts import facts
from shelfread.index.part_facts import merge_facts
from support.document import TAXONOMY
from support.edits import edited, joined_examples

_VOCABULARY = TAXONOMY.vocabulary
_PAPER = "- Tofu: A Study of Jobs in Clusters [[Paper](https://doi.org/10.1145/3302424.3303953)]\n"
_TEXTS = {
    "plain": "# A\n\n- [a](https://a.example) - A.\n\n## B\n\n- [b](https://b.example) - B.\n",
    "fence": "# A\n\n```\n## No heading\n```\n\n## B\n\ntext\n",
    "open fence": "# A\n\n## B\n\n```\n## No heading\n\n## None\n",
    "html": "# A\n\n<div>\n## No heading\n\n## B\n\n<!--\n## None\n-->\n\n## C\n",
    "definitions": "# A\n\n[a][one]\n\n## B\n\n[one]: https://one.example 'One'\n\n## C\n\n[c][one]\n",
    "details": "# A\n\n<details><summary>More</summary>\n\n- [a](https://a.example)\n\n## B\n\n- [b](https://b.example)\n",
    "generated": "# A\n\n<!-- START doctoc -->\n\n## B\n\n[x](#b)\n\n<!-- END doctoc -->\n\n## C\n\ntext\n",
    "formula": "# A\n\n$$a\n## B\nb$$ text\n\n## C\n\ntext $x$\n",
    "headings that are entries": "# A\n\n"
    + "".join(f"## [Tool {n}](https://t{n}.example)\n\nA tool.\n\n### Notes\n\nMore.\n\n" for n in range(4)),
    "papers below headings": f"# A\n\n## About\n\n### [A Study of Many Jobs](https://arxiv.org/abs/2001.00001)\n\n{_PAPER}",
    "venues": f"# A\n\n## OSDI 2020\n\n{_PAPER}\n### TinyML\n\n{_PAPER}",
    "history": "# A\n\n## News\n\n- Added [x](https://x.example)\n\n## 2024-01-02\n\n- [y](https://y.example)\n\n### More\n\n- z\n",
    "about the list": f"# A\n\n## Updates\n\n## *Path* [[Paper](./paper.pdf)]\n\n{_PAPER}\n## Contributing\n\n{_PAPER}",
    "front matter": "---\ntitle: A\n# a comment\n---\n\n# A\n\n## B\n\ntext\n",
    "front matter that is open": "---\ntitle: A\n\n# A\n\n## B\n\ntext\n",
    "overview": "# A\n\n"
    + "".join(f"- [Tool {n}](https://t{n}.example)\n" for n in range(6))
    + "\n## Ranking\n\n| Tool | Stars |\n|---|---|\n"
    + "".join(f"| [Tool {n}](https://t{n}.example) | {n} |\n" for n in range(6)),
    "other headings": "A\n===\n\ntext\n\nB\n---\n\n <h2>C</h2>\n\n  ## D\n\n- x\n# E\ntext\n",
    "nothing": "",
    "a heading": "#",
}


def _parts(text: str, before: Parts | None = None) -> Parts:
    parts = read_parts(Source(text, "list.md"), _VOCABULARY, before)
    assert parts is not None
    return parts


def _fields(document: Document) -> tuple[object, ...]:
    return document.tree, document.sections, document.entries, document.links, document.non_entries


def _check(parts: Parts | None, text: str) -> None:
    if parts is None:
        return
    document = read(Source(text, "list.md"), _VOCABULARY)
    assert _fields(assemble(parts)) == _fields(document)
    assert merge_facts(parts) == facts(document)


@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_parts_are_the_document(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    _check(_parts(text), text)


@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
def test_parts_are_the_document_after_every_line_was_removed_and_put_back(text: str) -> None:
    parts: Parts | None = _parts(text)
    lines = text.splitlines(keepends=True)
    for index in range(len(lines)):
        shorter = "".join([*lines[:index], *lines[index + 1 :]])
        for version in (shorter, text):
            parts = read_parts(Source(version, "list.md"), _VOCABULARY, parts)
            _check(parts, version)


@pytest.mark.parametrize("seed", range(12))
def test_parts_are_the_document_after_random_edits(seed: int) -> None:
    chance = random.Random(seed)
    text = joined_examples(chance, 8) if seed % 3 else "\n".join(chance.sample(list(_TEXTS.values()), 6))
    parts = read_parts(Source(text, "list.md"), _VOCABULARY)
    for _ in range(25):
        text = edited(chance, text)
        parts = read_parts(Source(text, "list.md"), _VOCABULARY, parts)
        _check(parts, text)


def test_other_parts_are_kept() -> None:
    text = _TEXTS["plain"] + "\n## C\n\ntext\n"
    before = _parts(text)
    after = _parts(text.replace("- B.", "- Bee."), before)
    same = [part is other for part, other in zip(before.parts, after.parts, strict=True)]
    assert same == [True, True, False, True] or same == [True, False, True]


def test_a_view_has_what_the_document_has() -> None:
    text = joined_examples(random.Random(1), 10)
    document, seen = read(Source(text, "list.md"), _VOCABULARY), view(_parts(text))
    entries = [
        entry._replace(block=other.block) for entry, other in zip(seen.entries, document.entries, strict=True)
    ]
    assert entries == list(document.entries)
    assert [entry.block[:5] for entry in seen.entries] == [entry.block[:5] for entry in document.entries]
    assert seen.sections == document.sections
    assert seen.links == document.links
    assert seen.tree.comments == document.tree.comments
    for block, other in zip(seen.tree.blocks, document.tree.blocks, strict=True):
        assert (block.kind, block.start, block.end, block.inlines) == (*other[:3], other.inlines)


@pytest.mark.parametrize("text", ["# A\r\n\n## B\n", "# A\r## B\r"])
def test_a_text_with_several_newlines_has_no_parts(text: str) -> None:
    assert read_parts(Source(text, "list.md"), _VOCABULARY) is None
