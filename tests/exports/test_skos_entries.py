"""Entries as resources whose subjects are the concepts of a taxonomy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rdflib import RDF, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import DCTERMS, RDFS, SKOS

from support.command_line import shelfread
from support.exported import HOSTILE

pytestmark = pytest.mark.filterwarnings(
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning"
)  # rdflib's own
TAXONOMY = """
title: Shelves
iri: https://example.org/shelves/
concepts:
  parallelism: {prefLabel: Parallelism}
  pipelines: {prefLabel: Pipelines, broader: parallelism}
"""
LIST = """# Papers

## Parallelism

- Shelves at Scale (OSDI 2020) [[Paper](https://doi.org/10.1145/3302424.3303953)] [[Code](https://github.com/a/b)]
  - Ada B. Stone, Ken Wood, Bo Ash
- [fd](https://github.com/sharkdp/fd) - Finds "files".

### Pipelines

- Shelves at Scale (OSDI 2020) [[Paper](https://doi.org/10.1145/3302424.3303953)]

## Cooking

- [Pan](https://pan.example.org) - Fries.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("own.yaml").write_text(TAXONOMY)
    return tmp_path


def graph(*words: str) -> Graph:
    """What is exported, the same as Turtle and as JSON-LD."""
    done = shelfread("export", "--format", "skos", "--taxonomy", "own.yaml", *words)
    assert done.exit_code == 0, done.stderr
    turtle = Graph().parse(data=done.stdout, format="turtle")
    assert not shelfread(
        "export", "--format", "skos", "--taxonomy", "own.yaml", "--output-file", "out.jsonld", *words
    ).exit_code
    data: Any = json.loads(Path("out.jsonld").read_text("utf-8"))
    assert isomorphic(turtle, Graph().parse(data=json.dumps(data), format="json-ld"))
    return turtle


def test_entries_have_their_concepts_as_subjects(folder: Path) -> None:
    Path("list.md").write_text(LIST)
    found = graph("list.md")
    paper = URIRef("https://doi.org/10.1145/3302424.3303953")
    base = "https://example.org/shelves/"
    assert set(found.objects(paper, DCTERMS.subject)) == {
        URIRef(f"{base}parallelism"),
        URIRef(f"{base}pipelines"),
    }
    assert list(found.objects(paper, DCTERMS.title)) == [Literal("Shelves at Scale")]
    assert {str(year) for year in found.objects(paper, DCTERMS.issued)} == {"2020"}
    assert set(found.objects(paper, RDFS.seeAlso)) == {URIRef("https://github.com/a/b")}
    subjects = set(found.subjects(RDF.type, DCTERMS.BibliographicResource))
    assert subjects == {paper, URIRef("https://github.com/sharkdp/fd")}, "what has no concept has no subject"
    assert subjects.isdisjoint(found.subjects(RDF.type, SKOS.Concept))


def test_without_lists_there_is_the_taxonomy(folder: Path) -> None:
    assert len(set(graph().subjects(RDF.type, SKOS.Concept))) == 2
    done = shelfread("export", "--format", "skos", "--taxonomy", "own.yaml", "gone.md")
    assert (done.exit_code, "no such file" in done.stderr) == (2, True)


def test_hostile_texts_stay_texts(folder: Path) -> None:
    titles = [title.replace("\n", " ").replace("\r", "").replace("\0", "") for title in HOSTILE]
    items = (
        f'- Title {title} (OSDI 2020) [[Paper](https://x.org/{{{n}}}?q="<>)]\n'
        for n, title in enumerate(titles)
    )
    Path("list.md").write_text("# Papers\n\n## Parallelism\n\n" + "".join(items), "utf-8")
    found = graph("list.md")
    assert len(set(found.subjects(SKOS.inScheme))) == 2
    assert not [text for text in found.objects() if isinstance(text, Literal) and not text.isprintable()]
