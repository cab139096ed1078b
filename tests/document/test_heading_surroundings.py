"""What a heading means is decided with the headings around it and the entries below it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from shelfread.core.source import Source
from shelfread.document.heading_subjects import concept_of_section, is_subject, resolve_section
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.taxonomy import Taxonomy
from support.taxonomies import load_text

TEXT = """
concepts:
  databases: {prefLabel: Databases, altLabel: [Storage], definition: Keeps tables and answers queries.}
  drivers: {prefLabel: Database Drivers, altLabel: [Connector], broader: databases}
  replicas: {prefLabel: Database Replication, altLabel: [Replicas], broader: databases}
  kitchens: {prefLabel: Kitchens}
  pans: {prefLabel: Frying Pans, altLabel: [Pans], broader: kitchens}
  pots: {prefLabel: Cooking Pots, broader: kitchens}
  steering: {prefLabel: Autonomous Steering, altLabel: [Steering]}
  memory: {prefLabel: Memory Cells, altLabel: [Memory]}
  shared-memory: {prefLabel: Shared Memory}
  game-memory: {prefLabel: Memory Games}
  flash: {prefLabel: Flash Memory}
  childhood: {prefLabel: Childhood Memory}
  lanes: {prefLabel: Memory Lanes}
  c: {prefLabel: C}
  cpp: {prefLabel: C++}
  scan: {prefLabel: Port Scanning, altLabel: [Scanning]}
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    return load_text(Path(tmp_path_factory.mktemp("taxonomy")), TEXT)


@pytest.fixture(scope="module")
def bundled(own: Taxonomy) -> Taxonomy:
    """The same taxonomy as one that was not written for the list."""
    return replace(own, own_concepts=frozenset())


def written(*headings: str, entries: str = "") -> Document:
    """Return a page with these headings; the last one has the entries, one a word."""
    lines = "".join(f"- [{each}](https://example.com/{each}) - It is {each}.\n" for each in entries.split())
    return read(Source("# Shelves\n\n" + "\n\n".join(headings) + f"\n\n{lines}"), vocabulary())


def meaning(taxonomy: Taxonomy, document: Document, index: int = -1) -> str:
    """Return the certainty of a heading and what it names."""
    index %= len(document.sections)
    found = resolve_section(document, index, taxonomy)
    return " ".join([found.certainty, *(label.concept for label in found.subjects or found.guesses)])


def test_a_label_of_several_words_is_certain(bundled: Taxonomy) -> None:
    assert meaning(bundled, written("## Frying Pans")) == "label pans"


def test_a_label_of_one_word_is_never_certain(own: Taxonomy, bundled: Taxonomy) -> None:
    document = written("## Kitchens", "### Pans", entries="pans kitchen frying")
    assert meaning(bundled, document) == "word pans"
    assert meaning(own, document) == "label pans"


def test_a_word_of_many_subjects_needs_support(own: Taxonomy, bundled: Taxonomy) -> None:
    assert meaning(bundled, written("## Memory", entries="cards faces")) == "guess memory"
    assert meaning(bundled, written("## Memory", entries="cells cells")) == "word memory"
    assert meaning(own, written("## Memory", entries="cards faces")) == "label memory"


def test_the_heading_above_supports(bundled: Taxonomy) -> None:
    assert meaning(bundled, written("## Databases", "### Connecting")) == "word drivers"
    assert meaning(bundled, written("## Kitchens", "### Connecting")) == "guess drivers"


def test_the_headings_beside_support(bundled: Taxonomy) -> None:
    apart = ["## Gardens", "## Ladders", "## Rivers", "## Paths"]
    assert meaning(bundled, written(*apart, "## Steered")) == "guess steering"
    near = ["## Databases", "## Database Replication", "## Replicas"]
    assert meaning(bundled, written(*near, "## Connectors")) == "word drivers"


def test_an_inflected_word_is_another_one(bundled: Taxonomy) -> None:
    assert meaning(bundled, written("## Steerers")) == "guess steering"


def test_a_guess_is_not_known(bundled: Taxonomy) -> None:
    document = written("## Memory", entries="cards")
    assert not resolve_section(document, 1, bundled).is_known
    assert concept_of_section(document, 1, bundled) is None


def test_a_guess_says_nothing_of_the_headings_below(bundled: Taxonomy) -> None:
    document = written("## Kitchens", "### Memory", "#### Frying Pans")
    assert concept_of_section(document, 2, bundled) == "kitchens"
    assert meaning(bundled, document) == "label pans"


def test_a_misspelt_form_is_no_form(own: Taxonomy) -> None:
    assert meaning(own, written("## Scanner")) == "variant scan"
    assert meaning(own, written("## Scaning")) == ""
    assert meaning(own, written("## Port Scaners")) == ""


@pytest.mark.parametrize(
    ("heading", "right"),
    [
        ("Autonomus Steering", "Autonomous Steering"),
        ("🔧 Frying pans, Kitchen", None),
        ("Databaze Replication", "Database Replication"),
        ("Port Scanners", None),
        ("Autumnal Steering", None),
    ],
)
def test_a_misspelt_word_is_put_right_if_the_heading_then_names_something(
    heading: str, right: str | None, own: Taxonomy
) -> None:
    assert own.respelt(heading) == right


@pytest.mark.parametrize("heading", ["C", "C++", "🔧 D", "R"])
def test_a_letter_is_a_language(heading: str, own: Taxonomy) -> None:
    document = written("## C#", f"## {heading}")
    assert is_subject(document.sections[2], 2, document, own.vocabulary)


def test_letters_in_order_are_an_index(own: Taxonomy) -> None:
    document = written(*(f"## {letter}" for letter in "ABC"))
    assert not any(
        is_subject(section, index, document, own.vocabulary)
        for index, section in enumerate(document.sections)
    )
