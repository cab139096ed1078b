"""Headings find their subjects; what a list's own taxonomy gets wrong is said where it stands."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from shelfread.core.errors import TaxonomyError
from shelfread.taxonomy.entry import entry_validator
from shelfread.taxonomy.load import bundled_names, load
from shelfread.taxonomy.skos import json_ld, turtle
from shelfread.taxonomy.taxonomy import Taxonomy
from support.paths import SHARED

ML = load("ml-systems")

HEADINGS = """
# Deep Learning Training
## 1. Elastic Training
## 🚀 Optimizing Network Communication
### Tensor Swapping / Recomputation
# Training System
## Training(Multi-jobs on cluster)
## Training(Parallelism)
1. **Cluster Scheduling**:
2. Memory/Cache Storage:
3. AI Compilation
4. Pipeline
5. Training Hyperparameters
6. Performance Modeling
7. Mixture-of-Experts
8. GPU memory management and optimization
"""


@pytest.mark.parametrize("line", HEADINGS.split("\n")[1:-1])
def test_headings_as_lists_write_them(line: str) -> None:
    assert ML.find(line.lstrip("# "))


@pytest.mark.parametrize(
    ("heading", "id", "kind"),
    [
        ("Cluster Scheduling", "cluster-scheduling", "prefLabel"),
        ("GPU Cluster Scheduling", "cluster-scheduling", "altLabel"),
        ("Cluster Schduling", "cluster-scheduling", "hiddenLabel"),
    ],
)
def test_find(heading: str, id: str, kind: str) -> None:
    match = ML.find(heading)
    assert match is not None
    assert (match.concept.id, match.kind) == (id, kind)


def test_suggest() -> None:
    assert ML.find("Paralelism") is None
    near = ML.suggest("Paralelism")
    assert near is not None and near.concept.id == "parallelism"
    assert ML.suggest("My holidays in Rome") is None


def test_hierarchy_and_order() -> None:
    assert ML.ancestors("tensor-parallelism") == ("parallelism", "training")
    assert ML.ancestors("training") == ()
    assert ML.position("training") < ML.position("inference") < ML.position("survey")


def test_the_vocabulary_alone() -> None:
    alone = load()
    assert not alone.concepts and alone.find("Training") is None
    assert alone.vocabulary is ML.vocabulary
    assert "venues" not in bundled_names() and "ml-systems" in bundled_names()


SEEDS = SHARED / "gold"


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seed documents are not here")
def test_every_section_of_the_seed_documents() -> None:
    headings = {
        heading
        for file in SEEDS.glob("*.json")
        for entry in json.loads(file.read_text("utf-8"))
        for heading in entry.get("section", ())
    }
    assert len(headings) > 20
    assert not {heading for heading in headings if not ML.find(heading)}


def own(tmp_path: Path, text: str) -> Taxonomy:
    file = tmp_path / "own.yaml"
    file.write_text(text, "utf-8")
    return load(str(file))


def test_extending_and_overriding(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(
        "extends: ml-systems\nconcepts: {rdma: null, cats: {prefLabel: Cats}}\n", "utf-8"
    )
    taxonomy = own(
        tmp_path,
        """
extends: below.yaml
title: Mine
concepts:
  parallelism: {prefLabel: Splitting, altLabel: [Parallelism]}
  cats: {broader: training, links: [paper, meow]}
venues: {osdi: {altLabel: [The OS Conference]}, catconf: {prefLabel: CatConf, years: [2020..]}}
links: {meow: {prefLabel: Meow, altLabel: [purr], hosts: [cats.org]}, tweet: null}
affiliations: {thu: {prefLabel: THU, altLabel: [Tsinghua, Tsinghua University]}}
entry: {type: object, required: [year]}
""",
    )
    match = taxonomy.find("Parallelism")
    assert match is not None
    assert (match.concept.label, match.kind, match.concept.broader) == (
        "Splitting",
        "altLabel",
        ("training",),
    )
    assert "rdma" not in taxonomy.concepts
    assert taxonomy.concepts["cats"].roles == ("paper", "meow")
    assert taxonomy.position("cats") == len(taxonomy.concepts) - 1
    osdi = taxonomy.vocabulary.venue("the os conference")
    assert osdi is not None and osdi.held_in(2019) is False
    assert taxonomy.vocabulary.venue("CatConf") is not None
    assert taxonomy.vocabulary.role("purr") is taxonomy.vocabulary.role("", "https://x.cats.org/1")
    assert "tweet" not in taxonomy.vocabulary.roles
    thu = taxonomy.affiliation("tsinghua")
    assert thu is not None and thu.label == "THU"
    assert taxonomy.entry == {"type": "object", "required": ["year"]}
    assert taxonomy.title == "Mine"
    assert taxonomy.location("parallelism") == ((tmp_path / "own.yaml").as_posix(), 5, 3)
    path, line, _ = taxonomy.location("training")
    assert path is not None and path.endswith("ml-systems.yaml") and line > 1
    assert load().vocabulary.venue("CatConf") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concept: {}\n", "1:1: unknown key 'concept', did you mean 'concepts'?"),
        ("concepts:\n  a: {preflabel: A}\n", "2:7: unknown key 'preflabel', did you mean 'prefLabel'?"),
        ("concepts:\n  A b: {prefLabel: A}\n", "2:3: 'A b' cannot be a key here: an id has lower-case letters"),
        ("concepts:\n  a: {altLabel: [B]}\n", "2:3: 'a' has no prefLabel"),
        (
            "concepts:\n  a: {prefLabel: A, altLabel: B}\n",
            "2:31: 'altLabel' must be a list of text, not text",
        ),
        (
            "concepts:\n  a: {prefLabel: A, altLabel: [1]}\n",
            "2:32: item 1 of 'altLabel' must be text, not a number",
        ),
        ("concepts:\n  a: {prefLabel: '!'}\n", "2:18: the label '!' has neither letters nor digits"),
        (
            "concepts:\n  a: {prefLabel: A, altLabel: [a.]}\n",
            "2:32: 'a.' is already the prefLabel 'A' of 'a'",
        ),
        (
            "concepts:\n  a: {prefLabel: A & B}\n  b: {prefLabel: B, altLabel: [A and B]}\n",
            "3:32: 'A and B' is already a label of 'a' (prefLabel 'A & B')",
        ),
        (
            "concepts:\n  cats: {prefLabel: Cats}\n  b: {prefLabel: B, broader: cat}\n",
            "3:30: no concept 'cat', did you mean 'cats'?",
        ),
        ("concepts:\n  a: {prefLabel: A, related: [zzz]}\n", "2:31: no concept 'zzz'"),
        (
            "concepts:\n  a: {prefLabel: A, links: [papr]}\n",
            "2:29: no link role 'papr', did you mean 'paper'?",
        ),
        ("concepts:\n  a: {prefLabel: A, broader: a}\n", "2:30: 'a' is broader than itself: a < a"),
        (
            "concepts:\n  a: {prefLabel: A, broader: b}\n  b: {prefLabel: B, broader: a}\n",
            "2:30: 'a' is broader than itself: a < b < a|3:30: 'b' is broader than itself: b < a < b",
        ),
        (
            "concepts:\n  a: {prefLabel: A}\n  b: {prefLabel: B, broader: a}\n"
            "  c: {prefLabel: C, broader: b, related: [a]}\n",
            "4:43: 'a' cannot be related to 'c': it is broader or narrower already",
        ),
        (
            "venues:\n  mine: {prefLabel: Neur-IPS}\n",
            "2:21: 'Neur-IPS' is already a label of 'neurips' (prefLabel 'NeurIPS')|"
            "1:1: 'NeurIPS' is already a label of 'mine'",
        ),
        (
            "venues:\n  mine: {prefLabel: M, years: [20..]}\n",
            "2:32: item 1 of 'years' is wrong: years are written as",
        ),
        (
            "venues:\n  mine: {prefLabel: M, publishedIn: pvld}\n",
            "2:37: no venue 'pvld', did you mean 'pvldb'?",
        ),
        (
            "venues:\n  mine: {prefLabel: M, doi: {x: 1}}\n",
            "2:30: 'x' cannot be a key here: a year has four digits",
        ),
        (
            "links:\n  m: {prefLabel: M, hosts: [https://a.b]}\n",
            "2:29: item 1 of 'hosts' is wrong: a host such as",
        ),
        ("extends: nowhere\n", "1:10: no taxonomy 'nowhere': neither a file nor one of ml-systems"),
        ("extends: own.yaml\n", "1:10: 'own.yaml' extends itself"),
        ("- a\n", "1:1: the file must be a mapping or empty, not a list"),
        ("entry: {type: nothing}\n", "1:15: no JSON Schema"),
        ("entry: {$ref: 'https://a.b/c'}\n", "1:15: a '$ref' leads to '#/$defs/...' and nowhere else"),
        ("entry: {properties: {a: {$id: x}}}\n", "1:26: '$id' is not for entry schemas"),
        (
            "entry: {$ref: '#/$defs/a', $defs: {a: {items: {$ref: '#/$defs/a'}}}}\n",
            "1:8: more than 5000 parts",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(TaxonomyError) as error:
        own(tmp_path, text)
    heard = str(error.value).removeprefix(f"{(tmp_path / 'own.yaml').as_posix()}:")
    assert any(heard.startswith(one) for one in said.split("|")), heard


def test_a_schema_that_doubles_is_refused_at_once(tmp_path: Path) -> None:
    parts = ", ".join(
        f"a{n}: {{allOf: [{{$ref: '#/$defs/a{n + 1}'}}, {{$ref: '#/$defs/a{n + 1}'}}]}}" for n in range(40)
    )
    started = time.process_time()
    with pytest.raises(TaxonomyError, match="more than 5000 parts"):
        own(tmp_path, f"entry: {{$ref: '#/$defs/a0', $defs: {{{parts}, a40: {{}}}}}}\n")
    assert time.process_time() - started < 5


def test_a_property_may_be_called_as_a_keyword_is(tmp_path: Path) -> None:
    schema = own(tmp_path, "entry: {properties: {pattern: {type: string}}, required: [pattern]}\n").entry
    assert schema is not None
    assert entry_validator(schema).is_valid({"pattern": "x"})
    assert not entry_validator(schema).is_valid({"pattern": 1})


def test_patterns_are_run_by_re2_or_not_at_all(tmp_path: Path) -> None:
    text = "entry: {properties: {title: {pattern: '^(a+)+$'}}}\n"
    schema = own(tmp_path, text).entry
    assert schema is not None
    assert not entry_validator(schema).is_valid({"title": "a" * 100 + "!"})
    with pytest.raises(TaxonomyError, match=r":1:39: no pattern that google-re2 can run: .*look-around"):
        own(tmp_path, text.replace("(a+)+", "(?=a)"))


def test_skos(tmp_path: Path) -> None:
    taxonomy = own(
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
    graph = json.loads(json_ld(taxonomy))["@graph"]
    assert [node["@id"].rpartition("/")[2] for node in graph] == ["", "cat", "lion", "dog"]
    assert graph[0]["skos:hasTopConcept"] == [
        {"@id": "https://example.org/cats/cat"},
        {"@id": "https://example.org/cats/dog"},
    ]
    assert graph[2]["skos:hiddenLabel"] == [{"@value": "Loin", "@language": "en"}]
    # Both say the same: as many statements of each kind.
    for name in ("prefLabel", "altLabel", "hiddenLabel", "broader", "related", "exactMatch", "topConceptOf"):
        ours = sum(
            len(node[f"skos:{name}"]) if name != "prefLabel" else 1
            for node in graph
            if f"skos:{name}" in node
        )
        assert len(re.findall(rf"skos:{name} ", text)) == ours, name
