"""Taxonomies as SKOS: what is exported, read by rdflib, and imported again."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import RDF, SKOS

from shelfread.core.errors import TaxonomyError
from shelfread.core.yaml_files import YamlFile
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.load import load, load_from
from shelfread.taxonomy.skos import graph as skos
from shelfread.taxonomy.skos.graph import taxonomy_graph
from shelfread.taxonomy.skos.importing import import_rdf
from shelfread.taxonomy.taxonomy import Taxonomy
from support.command_line import shelfread
from support.taxonomies import load_text

# rdflib warns of its own use of what it will remove.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")]
CATS = """
title: Cats
iri: https://example.org/cats/
language: en
entry: {required: [year]}
concepts:
  cat: {prefLabel: Cat, definition: 'Says "meow"', exactMatch: ['http://www.wikidata.org/entity/Q146']}
  lion: {prefLabel: Lion, altLabel: [Löwe, Simba], hiddenLabel: [Loin], broader: cat, scopeNote: "two\\nlines"}
  manx: {prefLabel: {en: Manx, zh-Hans: 马恩岛猫}, includes: {en: [Rumpy, Stumpy]}, broader: [lion, cat], links: [code, paper]}
  dog: {prefLabel: Dog, related: [cat, manx], entry: {properties: {year: {minimum: 1990}}}, iri: 'http://dogs.org/Dog'}
forms:
  map: {prefLabel: Maps, definition: {en: Of places., de: Von Orten.}}
"""
RETIRED = """
  kitty: {prefLabel: Kitty, retired: use cat}
  ocelot: {prefLabel: Ocelot, retired: true}
"""
LION = '''
<https://example.org/cats/lion> a skos:Concept ;
    skos:inScheme <https://example.org/cats/> ;
    shelfread:position 2 ;
    skos:prefLabel "Lion"@en ;
    skos:altLabel "Löwe"@en,
        "Simba"@en ;
    skos:hiddenLabel "Loin"@en ;
    skos:scopeNote """two
lines"""@en ;
    skos:broader <https://example.org/cats/cat> .
'''
SYNTAXES = ("ttl", "jsonld")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(taxonomy: Taxonomy) -> Any:
    """Return all that SKOS can hold of a taxonomy."""
    every = {**taxonomy.concepts, **taxonomy.forms}
    return (
        (taxonomy.title, taxonomy.language, taxonomy.iri, taxonomy.entry),
        list(taxonomy.concepts.values()),
        list(taxonomy.forms.values()),
        {id: taxonomy.iri_of(id) for id in every},
    )


def turtle(taxonomy: Taxonomy) -> str:
    return skos.turtle(taxonomy_graph(taxonomy))


def json_ld(taxonomy: Taxonomy) -> dict[str, Any]:
    return skos.json_ld(taxonomy_graph(taxonomy))


def exported(taxonomy: Taxonomy, suffix: str) -> str:
    return turtle(taxonomy) if suffix == "ttl" else json.dumps(json_ld(taxonomy))


def read(text: str, suffix: str) -> Graph:
    return Graph().parse(data=text, format="turtle" if suffix == "ttl" else "json-ld")


def graph_of(taxonomy: Taxonomy, suffix: str) -> Graph:
    return read(exported(taxonomy, suffix), suffix)


def write(text: str, suffix: str) -> Path:
    path = Path(f"export.{suffix}")
    path.write_text(text, "utf-8")
    return path


def imported(path: Path) -> Taxonomy:
    Path("again.yaml").unlink(missing_ok=True)
    done = shelfread("taxonomy", "import", str(path), "--output-file", "again.yaml")
    assert (done.exit_code, done.stderr) == (0, "")
    return load("again.yaml")


@cache
def bundled_text(name: str, suffix: str) -> str:
    return exported(load(name), suffix)


@cache
def bundled_graph(name: str, suffix: str) -> Graph:
    return read(bundled_text(name, suffix), suffix)


# -------------------------------------------------------------------------------------------- export
def test_skos(tmp_path: Path) -> None:
    taxonomy = load_text(tmp_path, CATS)
    text = turtle(taxonomy)
    assert text.startswith("@prefix shelfread: <urn:shelfread:terms#> .\n@prefix skos: <http://www.w3.org/")
    assert LION in text
    assert 'skos:definition "Says \\"meow\\""@en ;\n' in text
    assert 'shelfread:includes "Rumpy"@en,\n        "Stumpy"@en ;\n' in text
    assert re.findall("\n<(?:.*/)?(.*)> a ", text) == ["", "-forms", "cat", "lion", "manx", "Dog", "map"]
    graph = json.loads(json.dumps(json_ld(taxonomy)))["@graph"]
    assert [re.split("[/#]", node["@id"])[-1] for node in graph] == [
        "",
        "-forms",
        "cat",
        "lion",
        "manx",
        "Dog",
        "map",
    ]
    assert graph[0]["skos:hasTopConcept"] == [
        {"@id": "https://example.org/cats/cat"},
        {"@id": "http://dogs.org/Dog"},
    ]
    assert graph[3]["skos:hiddenLabel"] == {"@value": "Loin", "@language": "en"}


def test_a_taxonomy_is_exported() -> None:
    shown = shelfread("export", "--format", "skos", "--taxonomy", "forms")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("@prefix shelfread: <urn:shelfread:terms#> .\n@prefix skos: <http://")
    assert shelfread("taxonomy", "export", "forms").stdout == shown.stdout
    for _ in range(2):  # over its own earlier output too
        done = shelfread("export", "--format", "skos", "--taxonomy", "forms", "--output-file", "t.jsonld")
        assert done.exit_code == 0
        assert not shelfread("taxonomy", "export", "forms", "--output-file", "t.ttl").exit_code
    graph = json.loads(Path("t.jsonld").read_text())["@graph"]
    assert shown.stdout.count(" a skos:Concept ;") == len(graph) - 2  # the schemes of subjects and of forms
    assert Path("t.ttl").read_text("utf-8") == shown.stdout


def test_without_concepts_nothing_is_exported() -> None:
    done = shelfread("export", "--format", "skos")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no taxonomy: name forms, " in done.stderr
    Path("empty.yaml").write_text("title: Nothing\n")
    assert "no concepts to export" in shelfread("taxonomy", "export", "empty.yaml").stderr


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    taxonomy = load_text(
        tmp_path, 'iri: "x:\\e\\u2066"\nconcepts:\n  cat: {prefLabel: "C\\e[31m\\x9b\\u202Eat\\t"}\n'
    )
    text = turtle(taxonomy)
    assert "<x:%1B\\u2066cat>" in text
    assert '"C\\u001B[31m\\u009B\\u202Eat\\u0009"@en' in text


def test_a_concept_keeps_the_iri_of_the_taxonomy_that_defines_it(tmp_path: Path) -> None:
    Path("base.yaml").write_text(
        "iri: http://base.org/\nconcepts:\n  a: {prefLabel: A}\n  b: {prefLabel: B}\n"
    )
    taxonomy = load_text(
        tmp_path,
        "iri: http://own.org/\nlanguage: de\nextends: base.yaml\n"
        "concepts:\n  b: {prefLabel: Beh, definition: Das zweite.}\n  c: {prefLabel: Zeh, broader: a}\n",
    )
    graph = graph_of(taxonomy, "ttl")
    assert set(graph.subjects(RDF.type, SKOS.Concept)) == {
        URIRef(iri) for iri in ("http://base.org/a", "http://base.org/b", "http://own.org/c")
    }
    assert set(graph.objects(None, SKOS.inScheme)) == {URIRef("http://own.org/")}
    assert (URIRef("http://own.org/c"), SKOS.broader, URIRef("http://base.org/a")) in graph
    labels = {
        (str(label), label.language) for label in graph.objects(URIRef("http://base.org/b"), SKOS.prefLabel)
    }  # type: ignore[attr-defined]
    assert labels == {("B", "en"), ("Beh", "de")}


def test_a_concept_that_a_file_names_otherwise_is_one_of_its_own(tmp_path: Path) -> None:
    """So that the files of both can be read together (S13, S14)."""
    base = "iri: http://base.org/\nconcepts:\n  a: {prefLabel: A, altLabel: [Ah]}\n  b: {prefLabel: B}\n"
    Path("base.yaml").write_text(base)
    taxonomy = load_text(
        tmp_path,
        "iri: http://own.org/\nextends: base.yaml\nconcepts:\n  a: {prefLabel: Ah}\n  b: {altLabel: [Be]}\n",
    )
    graph = graph_of(taxonomy, "ttl")
    own, other = URIRef("http://own.org/a"), URIRef("http://base.org/a")
    assert list(graph.triples((own, SKOS.exactMatch, None))) == [(own, SKOS.exactMatch, other)]
    assert not list(graph.objects(other, SKOS.prefLabel))
    assert [str(label) for label in graph.objects(URIRef("http://base.org/b"), SKOS.altLabel)] == ["Be"]


# --------------------------------------------------------------------------------------- integrity
@pytest.mark.parametrize("name", bundled_names())
def test_exports_keep_the_conditions_of_skos(name: str) -> None:
    """S9, S13, S14, S27, S37 and S46 of the SKOS reference, over the graph that rdflib reads from both syntaxes."""
    graph = bundled_graph(name, "ttl")
    # Without blank nodes, equal sets of statements are isomorphic graphs.
    assert set(graph) == set(bundled_graph(name, "jsonld"))
    assert name != "forms" or isomorphic(graph, bundled_graph(name, "jsonld"))
    concepts = set(graph.subjects(RDF.type, SKOS.Concept))
    taxonomy = load(name)
    assert len(concepts) == len(taxonomy.concepts) + len(taxonomy.forms)
    assert not concepts & set(graph.subjects(RDF.type, SKOS.ConceptScheme))
    broader = {concept: set(graph.objects(concept, SKOS.broader)) for concept in concepts}
    for concept in concepts:
        labels = [
            (str(label), label.language)  # type: ignore[attr-defined]
            for kind in (SKOS.prefLabel, SKOS.altLabel, SKOS.hiddenLabel)
            for label in graph.objects(concept, kind)
        ]
        assert len(labels) == len(set(labels))
        languages = [label.language for label in graph.objects(concept, SKOS.prefLabel)]  # type: ignore[attr-defined]
        assert "en" in languages and len(languages) == len(set(languages))
        above, waiting = set[Any](), [*broader[concept]]
        while waiting:
            other = waiting.pop()
            if other not in above:
                above.add(other)
                waiting += broader[other]
        assert concept not in above
        assert not above & set(graph.objects(concept, SKOS.related))
        assert not any(concept == other for other in graph.objects(concept, SKOS.related))
        exact = set(graph.objects(concept, SKOS.exactMatch))
        others = (SKOS.broadMatch, SKOS.narrowMatch, SKOS.relatedMatch)
        assert not any(exact & set(graph.objects(concept, kind)) for kind in others)
        (scheme,) = graph.objects(concept, SKOS.inScheme)
        is_top = (scheme, SKOS.hasTopConcept, concept) in graph
        assert is_top is (not broader[concept]) is ((concept, SKOS.topConceptOf, scheme) in graph)
        assert broader[concept] | set(graph.objects(concept, SKOS.related)) <= concepts


# -------------------------------------------------------------------------------------- round trip
@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("ml-systems", "ttl"),
        ("software", "ttl"),
        ("forms", "jsonld"),
    ],  # of which the first extends machine-learning
)
def test_a_bundled_taxonomy_comes_back_equal(name: str, suffix: str) -> None:
    taxonomy = load(name)
    assert contents(imported(write(bundled_text(name, suffix), suffix))) == contents(taxonomy)


@pytest.mark.parametrize("suffix", [*SYNTAXES, "rdf", "nt"])
def test_everything_comes_back(tmp_path: Path, suffix: str) -> None:
    taxonomy = load_text(tmp_path, CATS.replace("\nforms:", RETIRED + "forms:"))
    if suffix in SYNTAXES:
        path = write(exported(taxonomy, suffix), suffix)
    else:
        path = Path(f"export.{suffix}")
        graph_of(taxonomy, "ttl").serialize(path, format="xml" if suffix == "rdf" else "nt", encoding="utf-8")
    again = imported(path)
    if suffix in SYNTAXES:
        assert contents(again) == contents(taxonomy)
    else:  # rdflib writes the statements in an order of its own
        assert list(again.concepts) == list(taxonomy.concepts)
        assert set(graph_of(again, "ttl")) == set(graph_of(taxonomy, "ttl"))


def test_yaml_stands_on_its_own(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(CATS, "utf-8")
    Path("ext.yaml").write_text("extends: base.yaml\nconcepts:\n  new: {prefLabel: New, broader: cat}\n")
    done = shelfread("taxonomy", "export", "ext.yaml", "--output-file", "whole.yaml")
    assert done.exit_code == 0, done.stderr
    assert contents(load("whole.yaml")) == contents(load("ext.yaml"))
    assert "extends" not in Path("whole.yaml").read_text("utf-8")
    done = shelfread("taxonomy", "export", "ext.yaml", "--output-file", "whole.yaml")
    assert done.exit_code == 2 and "would overwrite it" in done.stderr  # a person may have edited it


_WORDS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=12
)
_LANGUAGES = st.sampled_from(["en", "de", "zh-Hans", "pt-BR"])


@st.composite
def _terms(draw: st.DrawFn) -> dict[str, Any]:
    """Draw concepts whose labels are different, and whose hierarchy has no cycle."""
    count = draw(st.integers(1, 6))
    iris = st.sampled_from(
        ["http://a.b/c", "https://www.wikidata.org/entity/Q146", "urn:x:y#z", "http://a.b/ü"]
    )
    terms: dict[str, Any] = {}
    for number in range(count):
        label = f"{{}} {number}"

        def labels(kind: str, label: str = label) -> dict[str, list[str]]:
            tags = draw(st.lists(_LANGUAGES, unique=True, max_size=2))
            return {
                tag: [f"{kind} {label.format(draw(_WORDS))} {n}" for n in range(draw(st.integers(1, 2)))]
                for tag in tags
            }

        tags = draw(st.lists(_LANGUAGES, unique=True, min_size=1, max_size=3))
        term: dict[str, Any] = {"prefLabel": {tag: label.format(f"p{draw(_WORDS)}p") for tag in tags}}
        for kind in ("altLabel", "hiddenLabel", "includes"):
            if found := labels(kind):
                term[kind] = found
        for kind in ("definition", "scopeNote"):
            if draw(st.booleans()):
                term[kind] = draw(st.dictionaries(_LANGUAGES, _WORDS, min_size=1, max_size=2))
        others = [f"c{other}" for other in range(number)]
        if others and draw(st.booleans()):
            term["broader"] = draw(st.lists(st.sampled_from(others), unique=True, min_size=1, max_size=2))
        if draw(st.booleans()):
            kind = draw(
                st.sampled_from(["exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch"])
            )
            term[kind] = draw(st.lists(iris, unique=True, min_size=1, max_size=2))
        if draw(st.booleans()):
            term["links"] = draw(st.lists(st.sampled_from(["paper", "code", "slides"]), unique=True))
        if draw(st.integers(0, 4)) == 0:
            term["entry"] = {"properties": {"title": {"minLength": draw(st.integers(0, 9))}}}
        if draw(st.integers(0, 4)) == 0:
            term["iri"] = f"http://other.org/{number}"
        terms[f"c{number}"] = term
    return terms


@given(st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_taxonomies_come_back_equal(data: st.DataObject) -> None:
    concepts = data.draw(_terms())
    file = {
        "title": data.draw(_WORDS.filter(str.strip)),
        "language": data.draw(_LANGUAGES),
        "iri": data.draw(st.sampled_from(["http://a.org/x/", "http://a.org/x#", "urn:shelfread:mine:"])),
        "concepts": concepts,
        "forms": {"form": {"prefLabel": {"en": "Form x"}}} if data.draw(st.booleans()) else {},
    }
    own = YamlFile(_yaml(file), "own.yaml", TaxonomyError)
    taxonomy = load_from([own], "own.yaml")
    texts: dict[str, str] = {}
    for suffix in SYNTAXES:
        texts[suffix] = exported(taxonomy, suffix)
        text = import_rdf(str(write(texts[suffix], suffix)), None, None, None)
        again = load_from([YamlFile(text, "again.yaml", TaxonomyError)], "again.yaml")
        assert contents(again) == contents(taxonomy)
    assert set(read(texts["ttl"], "ttl")) == set(read(texts["jsonld"], "jsonld"))


def _yaml(value: Any) -> str:
    """Return JSON with escapes that YAML knows: no surrogates."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() and char.isascii() else f"\\U{ord(char):08X}" for char in text)
