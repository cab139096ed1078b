"""Loading a list's own taxonomy: overrides, and errors with their positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.core.errors import TaxonomyError
from shelfread.taxonomy.entry_schemas import entry_validator
from shelfread.taxonomy.load import load
from support.taxonomies import load_text
from support.work import ends


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "concepts:\n"])
def test_an_empty_file_is_a_taxonomy_without_concepts(tmp_path: Path, text: str) -> None:
    assert load_text(tmp_path, text).concepts == {}


def test_extending_and_overriding(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(
        "extends: ml-systems\nconcepts: {rdma: null, cats: {prefLabel: Cats}}\n", "utf-8"
    )
    taxonomy = load_text(
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
        ("distributed-training",),
    )
    assert "rdma" not in taxonomy.concepts
    assert taxonomy.concepts["cats"].roles == ("paper", "meow")
    assert [taxonomy.position(id) for id in ("parallelism", "cats")] == [0, 1]
    osdi = taxonomy.vocabulary.venue("the os conference")
    assert osdi is not None and osdi.held_in(2019) is False
    assert taxonomy.vocabulary.venue("CatConf") is not None
    assert taxonomy.vocabulary.role("purr") is taxonomy.vocabulary.role("", "https://x.cats.org/1")
    assert "tweet" not in taxonomy.vocabulary.roles
    thu = taxonomy.affiliation("tsinghua")
    assert thu is not None and thu.label == "THU"
    assert taxonomy.entry == {"type": "object", "required": ["year"]}
    assert taxonomy.title == "Mine"
    assert taxonomy.places["parallelism"] == ((tmp_path / "own.yaml").as_posix(), 5, 3)
    path, line, _ = taxonomy.places["training"]
    assert path is not None and path.endswith("machine-learning.yaml") and line > 1
    assert load().vocabulary.venue("CatConf") is None


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("concept: {}\n", "1:1: unknown key 'concept', did you mean 'concepts'?"),
        ("concepts:\n  a: {preflabel: A}\n", "2:7: unknown key 'preflabel', did you mean 'prefLabel'?"),
        (
            "concepts:\n  A b: {prefLabel: A}\n",
            "2:3: 'A b' is not a valid key here: an id has lower-case letters",
        ),
        ("concepts:\n  a: {altLabel: [B]}\n", "2:3: 'a' has no prefLabel"),
        (
            "concepts:\n  a: {prefLabel: A, altLabel: B}\n",
            "2:31: 'altLabel' must be a list of text or a mapping, not text",
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
            "2:32: item 1 of 'years' is invalid: years are written as",
        ),
        (
            "venues:\n  mine: {prefLabel: M, publishedIn: pvld}\n",
            "2:37: no venue 'pvld', did you mean 'pvldb'?",
        ),
        (
            "venues:\n  mine: {prefLabel: M, doi: {x: 1}}\n",
            "2:30: 'x' is not a valid key here: a year has four digits",
        ),
        (
            "links:\n  m: {prefLabel: M, hosts: [https://a.b]}\n",
            "2:29: item 1 of 'hosts' is invalid: a host such as",
        ),
        (
            "extends: nowhere\n",
            "1:10: no taxonomy 'nowhere': neither a file nor one of forms, machine-learning, ml-systems, software",
        ),
        ("extends: own.yaml\n", "1:10: 'own.yaml' extends itself"),
        ("- a\n", "1:1: the file must be a mapping or empty, not a list"),
        ("entry: {type: nothing}\n", "1:15: 'nothing' is no type: types are array"),
        ("entry: {$ref: 'https://a.b/c'}\n", "1:15: a '$ref' leads to '#/$defs/...' and nowhere else"),
        ("entry: {properties: {a: {$id: x}}}\n", "1:26: '$id' is not for entry schemas"),
        (
            "entry: {$ref: '#/$defs/a', $defs: {a: {items: {$ref: '#/$defs/a'}}}}\n",
            "1:8: more than 5000 parts",
        ),
    ],
)
def test_errors(tmp_path: Path, text: str, messages: str) -> None:
    with pytest.raises(TaxonomyError) as error:
        load_text(tmp_path, text)
    message = str(error.value).removeprefix(f"{(tmp_path / 'own.yaml').as_posix()}:")
    assert any(message.startswith(start) for start in messages.split("|")), message


def test_exponential_schema_is_an_error(tmp_path: Path) -> None:
    parts = ", ".join(
        f"a{n}: {{allOf: [{{$ref: '#/$defs/a{n + 1}'}}, {{$ref: '#/$defs/a{n + 1}'}}]}}" for n in range(40)
    )
    with ends(), pytest.raises(TaxonomyError, match="more than 5000 parts"):
        load_text(tmp_path, f"entry: {{$ref: '#/$defs/a0', $defs: {{{parts}, a40: {{}}}}}}\n")


def test_property_with_the_name_of_a_keyword(tmp_path: Path) -> None:
    schema = load_text(
        tmp_path, "entry: {tags: [pattern], properties: {pattern: {type: string}}, required: [pattern]}\n"
    ).entry
    assert schema is not None
    assert entry_validator(schema).is_valid({"pattern": "x"})
    assert not entry_validator(schema).is_valid({"pattern": 1})


def test_patterns_need_re2(tmp_path: Path) -> None:
    text = "entry: {properties: {title: {pattern: '^(a+)+$'}}}\n"
    schema = load_text(tmp_path, text).entry
    assert schema is not None
    assert not entry_validator(schema).is_valid({"title": "a" * 100 + "!"})
    with pytest.raises(TaxonomyError, match=r":1:39: no pattern that google-re2 can run: .*look-around"):
        load_text(tmp_path, text.replace("(a+)+", "(?=a)"))
