"""Errors, warnings and infos of taxonomies: `shelfread taxonomy check`, and what loading says of the first."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from shelfread.core.errors import TaxonomyError
from shelfread.taxonomy.chain import bundled_names, canonical, is_language
from shelfread.taxonomy.hierarchy import ancestors, clusters, cycles
from shelfread.taxonomy.load import load
from support.command_line import shelfread
from support.paths import PACKAGE, ROOT


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(text: str, *options: str) -> list[str]:
    """Return what `taxonomy check` prints of a file of this text, without the summary."""
    Path("own.yaml").write_text(text, "utf-8")
    done = shelfread("taxonomy", "check", "own.yaml", *options)
    lines = done.stdout.splitlines()
    assert done.exit_code == (2 if ": error[" in done.stdout else int(": warning[" in done.stdout))
    return [line.removeprefix("own.yaml:") for line in lines if line.startswith("own.yaml:")]


ERRORS = {
    "schema": (
        "concepts:\n  a: {prefLabel: A, preflabel: B, definitoin: C}\n",
        [
            "2:21: error[schema] unknown key 'preflabel', did you mean 'prefLabel'?",
            "2:35: error[schema] unknown key 'definitoin', did you mean 'definition'?",
        ],
    ),
    "invalid language tags": (
        "language: english\nconcepts:\n  a: {prefLabel: {en_US: A, x: B, de: C, zh-Hans: D, pt-BR: E}}\n",
        [
            "1:11: error[schema] 'language' is invalid: a language tag of BCP 47, such as en, zh-Hans or pt-BR",
            "3:19: error[schema] 'en_US' is not a valid key here: a language tag of BCP 47, such as en, zh-Hans or pt-BR",
            "3:29: error[schema] 'x' is not a valid key here: a language tag of BCP 47, such as en, zh-Hans or pt-BR",
        ],
    ),
    "a language twice": (
        "concepts:\n  a: {prefLabel: {en: Z, zh-hans: A, zh-Hans: B}}\n",
        ["2:38: error[schema] 'zh-Hans' is the language 'zh-hans' again: case does not tell tags apart"],
    ),
    "missing labels": (
        "concepts:\n  a: {altLabel: [A]}\nforms:\n  b: {definition: B}\n",
        ["2:3: error[missing-label] 'a' has no prefLabel", "4:3: error[missing-label] 'b' has no prefLabel"],
    ),
    "empty labels": (
        "concepts:\n  a: {prefLabel: A, altLabel: ['', ' - ']}\n",
        ["2:32: error[schema] item 1 of 'altLabel' is invalid: a label of 1 to 300 characters"],
    ),
    "no letters": (
        "concepts:\n  a: {prefLabel: '-'}\n",
        ["2:18: error[empty-label] the label '-' has neither letters nor digits"],
    ),
    "labels that differ by case": (
        "concepts:\n  a: {prefLabel: Café}\n  b: {prefLabel: CAFÉ}\n",
        ["3:18: error[overlapping-labels] 'CAFÉ' is already a label of 'a' (prefLabel 'Café')"],
    ),
    "labels that differ by accents": (
        "concepts:\n  a: {prefLabel: Café}\n  b: {prefLabel: B, altLabel: [cafe]}\n",
        [
            "3:32: error[overlapping-labels] 'cafe' differs by accents alone from a label of 'a' (prefLabel 'Café')"
        ],
    ),
    "disjoint labels (S13)": (
        "concepts:\n  a: {prefLabel: A b, altLabel: [a B], hiddenLabel: [A-B]}\n",
        [
            "2:34: error[disjoint-labels] 'a B' is already the prefLabel 'A b' of 'a'",
            "2:54: error[disjoint-labels] 'A-B' is already the prefLabel 'A b' of 'a'",
        ],
    ),
    "a second prefLabel (S14)": ("concepts:\n  a: {prefLabel: {en: A, en: B}}\n", None),
    "unknown ids": (
        "concepts:\n  a: {prefLabel: A, broader: [b, c], links: [papr]}\nforms:\n  f: {prefLabel: F, related: a}\n",
        [
            "2:31: error[unknown-id] no concept 'b'",
            "2:34: error[unknown-id] no concept 'c'",
            "2:46: error[unknown-id] no link role 'papr', did you mean 'paper'?",
            "4:30: error[unknown-id] no form 'a'",
        ],
    ),
    "retired concepts": (
        "concepts:\n  a: {prefLabel: A, retired: use b}\n  b: {prefLabel: B, retired: use c}\n  d: {prefLabel: D, retired: soon now}\n",
        [
            "2:30: error[retired-successor] 'a' is to be replaced by 'b', which is retired itself",
            "3:30: error[unknown-id] no concept 'c'",
            "4:30: error[schema] 'retired' is invalid: 'use ID' of the concept that replaces it, or true if there is none: 'retired: use scheduling'.",
        ],
    ),
    "cycles": (
        "concepts:\n  a: {prefLabel: A, broader: b}\n  b: {prefLabel: B, broader: a}\n  c: {prefLabel: C, broader: c}\n"
        "forms:\n  f: {prefLabel: F, broader: f}\n",
        [
            "2:30: error[cyclic-hierarchy] 'a' is broader than itself: a < b < a",
            "4:30: error[cyclic-hierarchy] 'c' is broader than itself: c < c",
            "6:30: error[cyclic-hierarchy] 'f' is broader than itself: f < f",
        ],
    ),
    "related and broader (S27)": (
        "concepts:\n  a: {prefLabel: A, related: c}\n  b: {prefLabel: B, broader: a}\n  c: {prefLabel: C, broader: b}\n",
        ["2:30: error[relation-clash] 'c' cannot be related to 'a': it is broader or narrower already"],
    ),
    "related to itself": (
        "concepts:\n  a: {prefLabel: A, related: a}\n",
        ["2:30: error[reflexive-relation] 'a' cannot be related to itself"],
    ),
    "mapping clashes (S46)": (
        "concepts:\n  a: {prefLabel: A, exactMatch: [http://a.b/c], broadMatch: [http://a.b/c], relatedMatch: [http://a.b/c]}\n",
        [
            "2:62: error[mapping-clash] <http://a.b/c> cannot be a broadMatch and an exactMatch of 'a'",
            "2:92: error[mapping-clash] <http://a.b/c> cannot be a relatedMatch and an exactMatch of 'a'",
        ],
    ),
    "a concept that is a scheme (S9)": (
        "iri: http://a.b/\nconcepts:\n  a: {prefLabel: A, iri: http://a.b/}\n  b: {prefLabel: B, iri: http://a.b/c}\n  c: {prefLabel: C}\n",
        [
            "3:26: error[repeated-iri] <http://a.b/> is the IRI of the taxonomy: a concept needs another one",
            "5:3: error[repeated-iri] <http://a.b/c> is the IRI of 'b' already",
        ],
    ),
    "no IRI": (
        "concepts:\n  a: {prefLabel: A, exactMatch: [Q146]}\n",
        [
            "2:34: error[schema] item 1 of 'exactMatch' is invalid: an IRI, such as https://www.wikidata.org/entity/Q146"
        ],
    ),
    "both schemes": (
        "concepts:\n  a: {prefLabel: A}\nforms:\n  a: {prefLabel: F}\n",
        ["4:3: error[two-schemes] 'a' is already a concept: a form needs another id"],
    ),
    "removed but referred to": ("extends: machine-learning\nconcepts:\n  nlp: null\n", None),
}


@pytest.mark.parametrize("kind", ERRORS)
def test_errors(kind: str) -> None:
    text, expected = ERRORS[kind]
    if expected is not None:
        assert checked(text) == expected
    with pytest.raises(TaxonomyError) as error:
        Path("own.yaml").write_text(text, "utf-8")
        load("own.yaml")
    assert error.value.line
    more = str(error.value).partition(" (and ")[2]
    number = len(expected or ()) - 1
    assert (
        more == (f"{number} more: shelfread taxonomy check own.yaml)" if number > 0 else "") or not expected
    )


def test_a_repeated_key_is_no_yaml() -> None:
    Path("own.yaml").write_text("concepts:\n  a: {prefLabel: {en: A, en: B}}\n")
    done = shelfread("taxonomy", "check", "own.yaml")
    assert (done.exit_code, done.stderr) == (2, "shelfread: own.yaml:2:26: the key 'en' is repeated\n")


def test_what_a_removed_concept_leaves_behind() -> None:
    lines = checked("extends: machine-learning\nconcepts:\n  nlp: null\n")
    assert lines and all(
        line.startswith("3:3: error[unknown-id] 'nlp' is removed here, but '") for line in lines
    )


WARNINGS = {
    "unprintable characters": (
        'concepts:\n  a: {prefLabel: "A\\u200bb", altLabel: ["x\\u200dy z"]}\n',
        ["2:18: warning[unprintable-characters] the label contains U+200B, which nobody sees: remove it"],
    ),
    "no common language": (
        "language: en\nconcepts:\n  a: {prefLabel: {de: A}}\n  b: {prefLabel: B}\n",
        ["3:18: warning[no-common-language] 'a' has no prefLabel in 'en', the language of the taxonomy"],
    ),
    "hierarchical redundancy": (
        "concepts:\n  a: {prefLabel: A}\n  b: {prefLabel: B, broader: a}\n  c: {prefLabel: C, broader: [b, a]}\n",
        ["4:34: warning[hierarchical-redundancy] 'a' is above 'b' already: remove it here"],
    ),
    "stated twice": (
        "concepts:\n  a: {prefLabel: A}\n  b: {prefLabel: B, related: [a, a]}\n",
        ["3:34: warning[repeated-relation] 'a' is stated twice"],
    ),
    "mapped to itself": (
        "iri: http://a.b/\nconcepts:\n  a: {prefLabel: A, relatedMatch: [http://a.b/b]}\n  b: {prefLabel: B}\n",
        [
            "3:36: warning[mapping-relations-misuse] <http://a.b/b> is 'b' of this taxonomy: use broader or related"
        ],
    ),
    "the same as two": (
        "concepts:\n  a: {prefLabel: A, exactMatch: [http://a.b/c]}\n  b: {prefLabel: B, exactMatch: [http://a.b/c]}\n",
        [
            "3:34: warning[mapping-relations-misuse] <http://a.b/c> is the exactMatch of 'a' already: one of the two is not the same"
        ],
    ),
    "a prefix for an IRI": (
        "concepts:\n  a: {prefLabel: A, exactMatch: ['wd:Q146']}\n",
        ["2:34: warning[http-uri-scheme-violation] <wd:Q146> begins with neither http: nor https: nor urn:"],
    ),
}


@pytest.mark.parametrize("kind", WARNINGS)
def test_warnings(kind: str) -> None:
    text, expected = WARNINGS[kind]
    assert checked(text) == expected
    load("own.yaml")  # a list can be checked with it


def test_infos() -> None:
    lines = checked(
        """
concepts:
  a: {prefLabel: {en: A, de: Ah}, definition: The first.}
  b: {prefLabel: B, broader: a, definition: The second.}
  c: {prefLabel: {en: C, de: Zeh}, broader: a, related: b, scopeNote: The third.}
  d: {prefLabel: {en: D, de: Deh}}
  e: {prefLabel: {en: E, de: Eh}, definition: The fifth.}
  f: {prefLabel: {en: F, de: Eff}, broader: e, definition: The sixth.}
""".lstrip(),
        "--show-info",
    )
    assert lines == [
        "3:3: info[incomplete-language-coverage] 'b' has no prefLabel in de, unlike others",
        "4:57: info[valueless-relation] 'c' and 'b' are related by 'a' already, which is above both",
        "5:3: info[undocumented-concept] 'd' has neither a definition nor a scopeNote",
        "5:3: info[orphan-concept] no other concept is broader, narrower or related to 'd'",
        "6:3: info[disconnected-cluster] 'e' is connected with 1 other concept only, not with the rest",
    ]


def test_a_flat_taxonomy_has_no_orphans() -> None:
    assert (
        checked(
            "concepts:\n  a: {prefLabel: A, definition: A.}\n  b: {prefLabel: B, definition: B.}\n",
            "--show-info",
        )
        == []
    )


@pytest.mark.parametrize("name", bundled_names())
def test_the_bundled_taxonomies_have_no_problems(name: str) -> None:
    done = shelfread("taxonomy", "check", name)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"No problems found in {name}.")


def test_accents_may_tell_labels_of_one_concept_or_of_a_tonal_language_apart() -> None:
    assert checked("concepts:\n  a: {prefLabel: Café, altLabel: [Cafe]}\n") == []
    assert checked("language: vi\nconcepts:\n  a: {prefLabel: Má}\n  b: {prefLabel: Mà}\n") == []
    assert checked("language: ru\nconcepts:\n  a: {prefLabel: Линий}\n  b: {prefLabel: Линии}\n") == []


def test_every_check_is_in_the_documentation() -> None:
    """With its severity, and no other."""
    found = set[tuple[str, str]]()
    for file in (PACKAGE / "taxonomy").rglob("*.py"):
        source = re.sub(r"\s+", " ", file.read_text("utf-8"))
        for kind in ("error", "warning", "info"):
            found |= {(kind, name) for name in re.findall(rf'(?<!\w)_?{kind}\( ?"([a-z-]+)",', source)}
        for name, severity in re.findall(r'Issue\( ?"([a-z-]+)", Severity\.(\w+)', source):
            found.add((severity.lower(), name))
    page = (ROOT / "docs" / "taxonomy.md").read_text("utf-8")
    documented = set[tuple[str, str]]()
    for row in re.findall(r"^\| (?!check|issue|-)(.*)\|$", page, re.MULTILINE):
        for severity, names in re.findall(r"\b(error|warning|info) ((?:`[a-z-]+`(?:, )?)+)", row):
            documented |= {(severity, name) for name in re.findall("`([a-z-]+)`", names)}
    assert documented == found


# ----------------------------------------------------------------------------------- several files
def test_a_cycle_through_a_file_that_is_extended() -> None:
    Path("base.yaml").write_text("concepts:\n  a: {prefLabel: A, broader: b}\n  b: {prefLabel: B}\n")
    assert checked("extends: base.yaml\nconcepts:\n  b: {broader: a}\n") == [
        "3:16: error[cyclic-hierarchy] 'b' is broader than itself: b < a < b"
    ]


def test_of_two_labels_that_of_the_own_file_is_wrong() -> None:
    """Another name that a file states is taken from the concepts that it extends, a preferred one is not."""
    assert checked("extends: machine-learning\nconcepts:\n  zz: {prefLabel: NLP}\n") == []
    preferred = "extends: machine-learning\nconcepts:\n  zz: {prefLabel: Natural Language Processing}\n"
    ((found),) = checked(preferred)
    assert found.startswith(
        "3:19: error[overlapping-labels] 'Natural Language Processing' is already a label of 'nlp'"
    )


def test_errors_of_files_that_are_extended_are_found_too() -> None:
    Path("base.yaml").write_text("concepts:\n  a: {prefLabel: A, broader: zz}\n")
    Path("own.yaml").write_text("extends: base.yaml\nconcepts: {b: {prefLabel: a}}\n")
    done = shelfread("taxonomy", "check", "own.yaml")
    assert done.stdout.splitlines()[:3] == [
        "own.yaml:2:27: error[overlapping-labels] 'a' is already a label of 'a' (prefLabel 'A')",
        "base.yaml:2:30: error[unknown-id] no concept 'zz'",
        "2 errors in own.yaml.",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: nowhere.yaml\n", "own.yaml:1:10: no taxonomy 'nowhere.yaml': neither a file nor one of "),
        ("extends: own.yaml\n", "own.yaml:1:10: 'own.yaml' extends itself: 'own.yaml' extends 'own.yaml'"),
        (
            "extends: other.yaml\n",
            "other.yaml:1:10: './own.yaml' extends itself: 'own.yaml' extends 'other.yaml' extends './own.yaml'",
        ),
        ("concepts: [\n", "own.yaml:2:1: not YAML: "),
    ],
)
def test_files_that_cannot_be_read(text: str, message: str) -> None:
    Path("own.yaml").write_text(text)
    Path("other.yaml").write_text("extends: ./own.yaml\n")
    done = shelfread("taxonomy", "check", "own.yaml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"shelfread: {message}")


# ------------------------------------------------------------------------------------------ options
def test_json() -> None:
    Path("own.yaml").write_text("concepts:\n  a: {prefLabel: A, broader: b}\n")
    done = shelfread("taxonomy", "check", "own.yaml", "--output-format", "json")
    report = json.loads(done.stdout)
    assert done.exit_code == 2
    assert report["diagnostics"][-1] == {
        "rule": "unknown-id",
        "severity": "error",
        "message": "no concept 'b'",
        "path": "own.yaml",
        "line": 2,
        "column": 30,
    }
    assert report["summary"] == {"errors": 1, "warnings": 0, "infos": 1}


def test_fail_on_and_the_configured_taxonomy() -> None:
    Path("own.yaml").write_text("concepts:\n  a: {prefLabel: {en: A}, exactMatch: ['wd:Q1']}\n")
    Path(".shelfread.yaml").write_text("taxonomy: own.yaml\n")
    assert shelfread("taxonomy", "check").exit_code == 1
    assert shelfread("taxonomy", "check", "--exit-zero").exit_code == 0
    assert shelfread("taxonomy", "check", "--fail-on", "error").exit_code == 0
    done = shelfread("taxonomy", "check", "--isolated")
    assert (done.exit_code, done.stderr) == (
        2,
        "shelfread: no taxonomy: name forms, machine-learning, ml-systems, software or a file, or set 'taxonomy' in the "
        "configuration\n",
    )


# ---------------------------------------------------------------------------------------- many of all
@pytest.mark.slow
def test_many_concepts() -> None:
    """All of them wrong, and in one cycle: nothing that is quadratic ends in time."""
    terms = (f"  c{n}: {{prefLabel: Label, broader: [c{(n + 1) % 1500}, z{n}]}}\n" for n in range(1500))
    lines = checked("concepts:\n" + "".join(terms))
    assert len(lines) == 1499 + 1500 + 1
    assert lines[0].endswith(" < c7 < ... < c1499 < c0")


def test_cycles_and_ancestors() -> None:
    broader = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["e"], "e": [], "f": ["f"], "g": ["d", "f"]}
    assert sorted(map(sorted, cycles(broader))) == [["a", "a", "b", "c"], ["f", "f"]]
    found = ancestors(broader)
    above = {id: {other for other in broader if found.has(id, other)} for id in broader}
    assert above["d"] == {"e"}
    assert above["g"] == above["e"] == set()
    assert clusters({"a": ["b"], "b": [], "c": ["b"], "d": []}) == [["a", "b", "c"], ["d"]]


@pytest.mark.parametrize(
    "tag", ["en", "zh-Hans", "pt-BR", "es-419", "sl-rozaj-biske", "de-CH-1996", "en-x-own", "yue"]
)
def test_language_tags(tag: str) -> None:
    assert is_language(tag) and canonical(tag.swapcase()) == tag


@pytest.mark.parametrize(
    "tag", ["", "e", "english", "en_US", "en-", "-en", "1a", "en--US", "x-own", "en " * 20, "en-u"]
)
def test_no_language_tags(tag: str) -> None:
    assert not is_language(tag)
