"""`shelfread taxonomy import`: vocabularies of others, and files that are none."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from shelfread.core import yaml_files
from shelfread.taxonomy.load import load
from shelfread.taxonomy.skos import rdf_reader, scheme
from support.command_line import shelfread

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://a.org/v/> .
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)

    def no_socket(*_: Any, **__: Any) -> None:
        raise AssertionError("something is fetched")

    monkeypatch.setattr(socket.socket, "connect", no_socket)
    monkeypatch.setattr(socket, "getaddrinfo", no_socket)
    return tmp_path


def imported(text: str, name: str = "v.ttl") -> str:
    Path(name).write_text(text, "utf-8")
    done = shelfread("taxonomy", "import", name)
    assert (done.exit_code, done.stderr) == (0, "")
    Path("own.yaml").write_text(done.stdout, "utf-8")
    load("own.yaml")
    return done.stdout


def refused(text: str | bytes, name: str = "v.ttl") -> str:
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    done = shelfread("taxonomy", "import", name)
    assert (done.exit_code, done.stdout) == (2, "")
    return done.stderr.strip().removeprefix("shelfread: ")


def test_a_vocabulary_of_others() -> None:
    text = imported(
        PREFIXES
        + """@prefix dct: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:scheme a skos:ConceptScheme ; dct:title "Tiere"@de, "Animals"@en ; dct:language "en" ;
    owl:imports <http://www.w3.org/2004/02/skos/core> .
:Cat a skos:Concept ; skos:inScheme :scheme ; skos:prefLabel "Cat"@en, "Katze"@de ; skos:notation "C1" ;
    skos:definition "It meows."@en, "It: \\"purrs\\""@en ; dct:created "2020" ; skos:narrower :lion ;
    skos:exactMatch <http://www.wikidata.org/entity/Q146> .
:lion skos:prefLabel "Lion"@en-us ; skos:related :dog, <http://b.org/x> .
:dog a skos:Concept ; skos:prefLabel "Dog" ; skos:altLabel "No"@en .
:old a skos:Concept ; skos:prefLabel "Old"@en ; owl:deprecated true .
:pets a skos:Collection ; skos:member :dog .
""",
        "animals.ttl",
    )
    assert text == (
        """# Imported from animals.ttl by `shelfread taxonomy import`.
# Not taken over:
# - 1 deprecated concept
# - definition of cat in en: It: "purrs"
# - related of lion is no concept of this file: <http://b.org/x>
# - <http://purl.org/dc/terms/created> of 1 concept
# - skos:notation of 1 concept
# - 1 collection
title: Animals
language: en
iri: "http://a.org/v/"
concepts:
  cat:
    iri: "http://a.org/v/Cat"
    prefLabel: {en: Cat, de: Katze}
    definition: It meows.
    exactMatch: ["http://www.wikidata.org/entity/Q146"]
  lion:
    prefLabel: {en-US: Lion}
    broader: cat
    related: dog
  dog:
    prefLabel: Dog
    altLabel: ["No"]
"""
    )
    done = shelfread("taxonomy", "check", "animals.ttl")
    assert done.stdout.splitlines()[:2] == [
        "animals.ttl:10: warning[no-common-language] 'lion' has no prefLabel in 'en', the language of the taxonomy",
        "animals.ttl:11: warning[omitted-language-tag] 'Dog' has no language tag, and is taken for 'en'",
    ]


ERRORS = {
    "no SKOS": (
        "<http://a.b/c> a <http://www.w3.org/2002/07/owl#Class> .",
        "v.ttl:1: no SKOS: there is no skos:Concept in 1 statements: it describes <http://www.w3.org/2002/07/owl#Class>",
    ),
    "empty": ("", "v.ttl:1: no SKOS: there is no skos:Concept in 0 statements"),
    "no Turtle": (PREFIXES + "\n:a skos:prefLabel 'A'@en\n:b", "v.ttl:5: not Turtle: expected"),
    "an unknown prefix": (PREFIXES + ":a x:y :b .", 'v.ttl:3: not Turtle: Prefix "x:" not bound'),
    "no UTF-8": ((PREFIXES + ":a").encode() + b"\xff", "v.ttl:3: not UTF-8: save the file as UTF-8"),
    "no language tag": (
        PREFIXES + ":a a skos:Concept ;\n skos:prefLabel 'A'@en ;\n skos:altLabel 'Ah'@english .",
        "v.ttl:5: 'english' of 'Ah' is no language tag, such as en or zh-Hans",
    ),
    "a language with an underscore": (PREFIXES + ":a skos:prefLabel 'A'@en_US .", "v.ttl:3: not Turtle: "),
    "no label": (PREFIXES + "\n:a a skos:Concept .", "v.ttl:4: 'a' has no prefLabel"),
    "two labels (S14)": (
        PREFIXES + ":a a skos:Concept ; skos:prefLabel 'A'@en ,\n 'B'@en .",
        "v.ttl:4: 'B' is a second prefLabel in 'en', beside 'A'",
    ),
    "disjoint labels (S13)": (
        PREFIXES + ":a a skos:Concept ; skos:prefLabel 'A'@en ;\n skos:altLabel 'A'@en .",
        "v.ttl:4: 'A' is already the prefLabel 'A' of 'a'",
    ),
    "relative IRIs": (
        PREFIXES + "<#a> skos:prefLabel 'A'@en .\n<#b> skos:prefLabel 'B'@en .",
        "v.ttl:3: 2 concepts with a relative IRI, such as '#a': say by --base what it is relative to",
    ),
    "a cycle": (
        PREFIXES
        + ":a skos:prefLabel 'A'@en ;\n skos:broader :b .\n:b skos:prefLabel 'B'@en ;\n skos:broader :a .",
        "v.ttl:4: 'a' is broader than itself: a < b < a",
    ),
    "related and broader (S27)": (
        PREFIXES
        + ":a skos:prefLabel 'A'@en ; skos:broader :b ;\n skos:related :b .\n:b skos:prefLabel 'B'@en .",
        "v.ttl:4: 'b' cannot be related to 'a': it is broader or narrower already",
    ),
    "a mapping clash (S46)": (
        PREFIXES
        + ":a skos:prefLabel 'A'@en ; skos:exactMatch <http://b.c/d> ;\n skos:broadMatch <http://b.c/d> .",
        "v.ttl:4: <http://b.c/d> cannot be a broadMatch and an exactMatch of 'a'",
    ),
    "a concept that is a scheme (S9)": (
        PREFIXES + ":a a skos:Concept, skos:ConceptScheme ; skos:prefLabel 'A'@en .",
        "v.ttl:3: <http://a.org/v/a> cannot be a concept and a scheme",
    ),
    "a label that is no text": (
        PREFIXES + ":a skos:prefLabel 'A'@en ;\n skos:altLabel :b .",
        "v.ttl:4: the skos:altLabel of <http://a.org/v/a> must be a text",
    ),
    "a blank node": (
        PREFIXES + ":a skos:prefLabel 'A'@en .\n[] a skos:Concept .",
        "v.ttl:4: a concept needs an IRI",
    ),
    "a match that is no IRI": (
        PREFIXES + ":a skos:prefLabel 'A'@en ;\n skos:exactMatch 'Q1' .",
        "v.ttl:4: item 1 of 'exactMatch' is invalid: an IRI",
    ),
    "an import": (
        PREFIXES + ":a <http://www.w3.org/2002/07/owl#imports> <http://127.0.0.1:9/b> .",
        "v.ttl:3: it imports <http://127.0.0.1:9/b>, which is not fetched: put both into one file",
    ),
    "deep": (PREFIXES + ":a :b " + "[ :b " * 50_000, "v.ttl: nested too deeply"),
    "too many concepts": (
        PREFIXES + "".join(f":c{n} skos:prefLabel 'C{n}'@en .\n" for n in range(31)),
        "v.ttl:1: 31 concepts, but a taxonomy has at most 30: import a part of it with --root",
    ),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_errors(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheme, "MAX_CONCEPTS", 30)
    text, message = ERRORS[kind]
    assert refused(text).startswith(message)


BRANCHES = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<skos:ConceptScheme rdf:about="http://a.org/The Classification"/>
<skos:Concept rdf:about="#1"><skos:prefLabel xml:lang="en">Storage</skos:prefLabel></skos:Concept>
<skos:Concept rdf:about="#2"><skos:prefLabel xml:lang="en">Networks</skos:prefLabel></skos:Concept>
<skos:Concept rdf:about="#3"><skos:prefLabel xml:lang="en">Design</skos:prefLabel><skos:broader rdf:resource="#1"/></skos:Concept>
<skos:Concept rdf:about="#4"><skos:prefLabel xml:lang="en">Design</skos:prefLabel><skos:broader rdf:resource="#2"/>
<skos:altLabel xml:lang="en">Storage</skos:altLabel></skos:Concept>
</rdf:RDF>
"""


def test_homonyms_are_told_apart_by_what_is_above_them() -> None:
    """As in the Computing Classification System of the ACM, whose IRIs are relative too."""
    Path("v.rdf").write_text(BRANCHES)
    done = shelfread("taxonomy", "check", "v.rdf", "--base", "http://a.org/ccs")
    assert [line.partition(": ")[2] for line in done.stdout.splitlines() if "homonyms" in line] == [
        "warning[homonyms] 'Design' is the name of 2 concepts: Storage > Design; Networks > Design",
        "warning[homonyms] 'Storage' is a name of 2 concepts: Storage; Networks > Design",
    ]
    done = shelfread("taxonomy", "import", "v.rdf", "--base", "http://a.org/ccs")
    Path("own.yaml").write_text(done.stdout)
    taxonomy = load("own.yaml")
    assert {id: concept.label for id, concept in taxonomy.concepts.items()} == {
        "1": "Storage",
        "2": "Networks",
        "3": "Design (Storage)",
        "4": "Design (Networks)",
    }
    assert taxonomy.iri_of("3") == "http://a.org/ccs#3"


@pytest.mark.parametrize("root", ["http://a.org/ccs#2", "2", "Networks"])
def test_a_part_is_imported_from_its_root(root: str) -> None:
    Path("v.rdf").write_text(BRANCHES)
    done = shelfread("taxonomy", "import", "v.rdf", "--base", "http://a.org/ccs", "--root", root)
    Path("own.yaml").write_text(done.stdout)
    assert [concept.label for concept in load("own.yaml").concepts.values()] == ["Networks", "Design"]


def test_a_root_is_one_concept() -> None:
    Path("v.rdf").write_text(BRANCHES)
    done = shelfread("taxonomy", "import", "v.rdf", "--base", "http://a.org/ccs", "--root", "Design")
    assert done.exit_code == 2
    assert (
        "--root 'Design' has to be one concept, but is <http://a.org/ccs#3>, <http://a.org/ccs#4>"
        in done.stderr
    )


def test_all_errors_are_said_by_check() -> None:
    Path("v.ttl").write_text(PREFIXES + ":a a skos:Concept .\n:b skos:prefLabel 'B'@en ; skos:broader :b .\n")
    done = shelfread("taxonomy", "import", "v.ttl")
    assert done.stderr == (
        "shelfread: v.ttl:3: 'a' has no prefLabel (and 1 more: shelfread taxonomy check v.ttl)\n"
    )
    done = shelfread("taxonomy", "check", "v.ttl")
    assert done.exit_code == 2
    assert [line for line in done.stdout.splitlines() if "error[" in line] == [
        "v.ttl:3: error[missing-label] 'a' has no prefLabel",
        "v.ttl:4: error[cyclic-hierarchy] 'b' is broader than itself: b < b",
    ]


def test_undefined_terms_and_top_concepts_are_warnings() -> None:
    Path("v.ttl").write_text(
        PREFIXES
        + ":s a skos:ConceptScheme .\n:a skos:prefLabel 'A'@en ; skos:prefLabell 'A'@en .\n"
        + ":b skos:prefLabel 'B'@en ; skos:broader :a ; skos:topConceptOf :s ."
    )
    done = shelfread("taxonomy", "check", "v.ttl")
    assert done.stdout.splitlines()[:2] == [
        "v.ttl:4: warning[undefined-skos-resource] SKOS has no skos:prefLabell",
        "v.ttl:5: warning[top-concept-with-broader] 'b' is a top concept, but has broader ones",
    ]


# ------------------------------------------------------------------------------------ other syntaxes
CONTEXT = {"skos": "http://www.w3.org/2004/02/skos/core#", "v": "http://a.org/v/"}


def test_json_ld() -> None:
    node = {"@id": "v:a", "@type": "skos:Concept", "skos:prefLabel": {"@value": "A", "@language": "en"}}
    assert "prefLabel: A\n" in imported(json.dumps({"@context": CONTEXT, **node}), "v.jsonld")
    wrong = {**node, "@id": "v:b", "skos:prefLabel": []}
    text = json.dumps({"@context": CONTEXT, "@graph": [node, wrong]}, indent=1)
    line = text[: text.index('"v:b"')].count("\n") + 1
    assert refused(text, "v.jsonld") == f"v.jsonld:{line}: 'b' has no prefLabel"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{\n"@context": "http://127.0.0.1:9/c"}',
            "v.json:2: the @context is 'http://127.0.0.1:9/c', which is not",
        ),
        (
            '{"@context": [{}, "other.jsonld"]}',
            "v.json:1: the @context is 'other.jsonld', which is not fetched",
        ),
        (
            '{"@context": {"@import": "http://127.0.0.1:9/c"}}',
            "v.json:1: the @context is 'http://127.0.0.1:9/c'",
        ),
        (
            '{"a": [{"\\u0040context": "file:///etc/passwd"}]}',
            "v.json:1: the @context is 'file:///etc/passwd'",
        ),
        ('{"@context": {"a": {"@id": "x:y", "@context": "x:z"}}}', "v.json:1: the @context is 'x:z'"),
        ('{"a":\n', "v.json:2:1: not JSON: Expecting value"),
        ("[" * 100_000, "v.json: nested too deeply"),
        ('{"@graph": ' * 100_000, "v.json: nested too deeply"),
        ("1" * 5000, "v.json: not JSON: "),
        ("[1, 2]", "v.json:1: no SKOS: there is no skos:Concept in 0 statements"),
        ('{"@context": {"@version": 7}}', "v.json"),
    ],
)
def test_bad_json(text: str, message: str) -> None:
    assert refused(text, "v.json").startswith(message)


RDF = """<?xml version="1.0"?>{doctype}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<skos:Concept rdf:about="http://a.org/a">
<skos:prefLabel xml:lang="en">{label}</skos:prefLabel></skos:Concept></rdf:RDF>
"""


def test_xml() -> None:
    doctype = '<!DOCTYPE rdf:RDF [<!ENTITY a "Cat">]>'
    assert "prefLabel: Cat\n" in imported(RDF.format(doctype=doctype, label="&a;"), "v.rdf")
    assert refused(RDF.format(doctype="", label="-"), "v.rdf") == (
        "v.rdf:4: the label '-' has neither letters nor digits"
    )


ENTITIES = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))


@pytest.mark.parametrize(
    ("doctype", "label"),
    [
        (f'<!DOCTYPE r [<!ENTITY e0 "x">{ENTITIES}]>', "&e12;"),
        (f'<!DOCTYPE r [<!ENTITY e "{"x" * 100_000}">]>', "&e;" * 100_000),
        ('<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>', "&e;"),
        ('<!DOCTYPE r [<!ENTITY % e SYSTEM "http://127.0.0.1:9/"> %e;]>', "x"),
        ('<!DOCTYPE r SYSTEM "http://127.0.0.1:9/r.dtd">', "x"),
        ('<!DOCTYPE r PUBLIC "x" "http://127.0.0.1:9/r.dtd">', "x"),
    ],
)
def test_entities_of_xml_are_harmless(doctype: str, label: str) -> None:
    assert "entities may only stand for plain text, and nothing is fetched" in refused(
        RDF.format(doctype=doctype, label=label), "v.rdf"
    )


def test_bad_xml() -> None:
    assert refused("<a>\n<b></a>", "v.rdf").startswith("v.rdf:2: not RDF/XML: ")
    assert refused('<?xml version="1.0" encoding="utf-7"?><a/>', "v.rdf").startswith(
        "v.rdf:1: the encoding is"
    )
    assert refused("<a>" * 20_000, "v.rdf").startswith("v.rdf")
    label = f"x</skos:prefLabel><skos:note rdf:parseType='Literal'>{'<b>' * 2000}"
    assert refused(RDF.format(doctype="", label=label), "v.rdf") == "v.rdf: nested too deeply"


def test_n_triples_and_the_option_from() -> None:
    text = '<http://a.org/a> <http://www.w3.org/2004/02/skos/core#prefLabel> "A"@en .\n'
    assert "prefLabel: A\n" in imported(text, "v.nt")
    Path("v.txt").write_text(text)
    done = shelfread("taxonomy", "import", "v.txt")
    assert done.stderr == (
        "shelfread: v.txt: the name does not say its syntax: add --from turtle|json-ld|xml|nt\n"
    )
    assert shelfread("taxonomy", "import", "v.txt", "--from", "nt").exit_code == 0
    assert shelfread("taxonomy", "import", "nothing.ttl").stderr == (
        "shelfread: nothing.ttl: cannot be read: no such file or directory\n"
    )


def test_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdf_reader, "MAX_BYTES", 1 << 20)
    assert refused(" " * ((1 << 20) + 1)) == "v.ttl: more than 1 MiB: import a part of it"
    monkeypatch.setattr(rdf_reader, "MAX_STATEMENTS", 10)
    text = PREFIXES + "".join(f":a skos:altLabel 'A{n}'@en .\n" for n in range(30))
    assert "more than 10 statements" in refused(text)


def test_what_is_written_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_files, "MAX_NODES", 2)
    text = PREFIXES + "".join(f":a{n} skos:prefLabel 'A{n}'@en .\n" for n in range(30))
    assert refused(text) == (
        "v.ttl: it is no taxonomy that can be read: more than 16 values with aliases expanded"
    )


def test_ids_are_made_and_unique() -> None:
    text = imported(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        "<http://a.org/x#Cat> skos:prefLabel 'A'@en .\n<http://a.org/y#cat> skos:prefLabel 'B'@en .\n"
        "<http://a.org/x#cat> skos:prefLabel 'C'@en .\n<http://a.org/x#%C3%BC> skos:prefLabel 'D'@en .\n"
        "<http://a.org/x#Löwe> skos:prefLabel 'E'@en .\n<http://a.org/x#> skos:prefLabel 'F'@en .\n"
    )
    ids = [line.strip(" :") for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    assert ids == ["cat", "cat-2", "cat-3", "c3-bc", "lowe", "concept"]
