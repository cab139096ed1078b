"""Lines on which a pattern would go back to try again and again: reading comes to its end."""

from __future__ import annotations

import pytest

from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import find_generated
from shelfread.document.heading_subjects import names_subject
from shelfread.document.read import read
from shelfread.taxonomy.label_forms import without_extras
from shelfread.taxonomy.load import load
from support.work import calls, ends

MANY = 20_000


@pytest.mark.parametrize(
    "line",
    [
        f"- [{'A' * MANY}x](https://arxiv.org/abs/1901.00001) ICML 2020",
        f"- [Shelf](https://shelf.example) - VpFx{' ' * MANY}é",
        f"- **Tidy Shelves of Books** [[paper](https://arxiv.org/abs/1901.00001)] a{' ' * MANY}b",
    ],
)
def test_long_lines(line: str) -> None:
    with ends():
        read(Source(f"# Shelves\n\n{line}\n"), load(None).vocabulary)


@pytest.mark.parametrize("group", ["[a b]", "][a b", "2020 [a b] "])
def test_groups_in_front_of_a_title_are_not_looked_through_for_each_of_them(group: str) -> None:
    source = Source(f"- {group * 500}x\n")
    assert calls(lambda: read(source, load(None).vocabulary), "sub") < 100


@pytest.mark.parametrize(
    "title", [f"workshop{'[' * MANY}", f"ieee trans{'(' * MANY}", "workshop [" * (MANY // 10)]
)
def test_long_headings(title: str) -> None:
    vocabulary = load(None).vocabulary
    section = read(Source(f"# {title}\n"), vocabulary).sections[0]
    with ends():
        names_subject(section, vocabulary)


@pytest.mark.parametrize("end", [f"1900-{' ' * MANY}x1", f"{' ' * MANY}x)", f"[{' ' * MANY}x]"])
def test_long_ends_of_headings(end: str) -> None:
    with ends():
        assert without_extras(f"Shelves {end}") == f"Shelves {end}"


@pytest.mark.parametrize(
    "words", ["readme" + "-a" * MANY, "not readme" + "--a" * MANY, "changes readme" + "-_-" * MANY]
)
def test_long_names_in_guides(words: str) -> None:
    with ends():
        assert not find_generated(FileKind.GUIDE, words)


def test_a_statement_in_a_guide_is_read_with_few_words_around_it() -> None:
    statement, words = "The README is generated from a.yml. ", "word " * 200
    for text in (f"Contents {words}{statement}", f"{statement}{words}contents"):
        assert find_generated(FileKind.GUIDE, text)["readme"].source == "a.yml"
