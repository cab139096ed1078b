"""Taxonomies as SKOS."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shelfread.taxonomy.skos import json_ld, turtle
from support.command_line import shelfread
from support.taxonomy import load_text


def test_skos(tmp_path: Path) -> None:
    taxonomy = load_text(
        tmp_path,
        """
title: Cats
iri: https://example.org/cats/
language: en
concepts:
  cat: {prefLabel: Cat, definition: 'Says "meow"', exactMatch: ['http://www.wikidata.org/entity/Q146']}
  lion: {prefLabel: Lion, altLabel: [Löwe], hiddenLabel: [Loin], broader: cat, scopeNote: "two\\nlines"}
  dog: {prefLabel: Dog, related: cat}
""",
    )
    text = turtle(taxonomy)
    assert "<https://example.org/cats/lion> a skos:Concept ;\n" in text
    assert 'skos:definition "Says \\"meow\\""@en' in text
    assert 'skos:scopeNote "two\\nlines"@en' in text
    assert "skos:broader <https://example.org/cats/cat> ." in text
    graph = json.loads(json.dumps(json_ld(taxonomy)))["@graph"]
    assert [node["@id"].rpartition("/")[2] for node in graph] == ["", "cat", "lion", "dog"]
    assert graph[0]["skos:hasTopConcept"] == [
        {"@id": "https://example.org/cats/cat"},
        {"@id": "https://example.org/cats/dog"},
    ]
    assert graph[2]["skos:hiddenLabel"] == [{"@value": "Loin", "@language": "en"}]
    # Both have the same number of statements of each kind.
    for name in ("prefLabel", "altLabel", "hiddenLabel", "broader", "related", "exactMatch", "topConceptOf"):
        count = sum(
            len(node[f"skos:{name}"]) if name != "prefLabel" else 1
            for node in graph
            if f"skos:{name}" in node
        )
        assert len(re.findall(rf"skos:{name} ", text)) == count, name


def test_a_taxonomy_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = shelfread("export", "--format", "skos", "--taxonomy", "ml-systems")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n")
    assert not shelfread(
        "export", "--format", "skos", "--taxonomy", "ml-systems", "--output-file", "t.jsonld"
    ).exit_code
    graph = json.loads(Path("t.jsonld").read_text())["@graph"]
    assert shown.stdout.count(" a skos:Concept ;") == len(graph) - 2  # the schemes of subjects and of forms


def test_without_concepts_nothing_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = shelfread("export", "--format", "skos")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "name a taxonomy with --taxonomy" in done.stderr


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    taxonomy = load_text(
        tmp_path, 'iri: "x:\\e\\u2066"\nconcepts:\n  cat: {prefLabel: "C\\e[31m\\x9b\\u202Eat\\t"}\n'
    )
    text = turtle(taxonomy)
    assert "<x:%1B\\u2066cat>" in text
    assert '"C\\u001B[31m\\u009B\\u202Eat\\t"@en' in text
