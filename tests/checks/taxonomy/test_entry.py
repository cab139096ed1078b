"""`taxonomy/entry`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shelfread.checks.taxonomy.entry import entry
from shelfread.checks.taxonomy.sections import section
from shelfread.core.errors import TaxonomyError
from shelfread.core.json_schema import schema
from shelfread.taxonomy.load import load
from shelfread.taxonomy.problems import FIELDS
from support.project import run
from support.taxonomies import CONCEPTS, ENTRY, write_taxonomy

SCHEMA = """
entry:
  properties:
    year: {type: integer, minimum: 2010, description: 'Give the year, 2010 or later.'}
    links: {minItems: 2, items: {properties: {url: {maxLength: 60, description: Link the short address.}}}}
  required: [title]
  description: An entry has a year.
"""


def test_nothing_is_reported_without_a_taxonomy() -> None:
    assert run(entry, f"## Gardening\n\n{ENTRY}") == []


def test_a_violation_is_reported_at_its_field_in_the_words_of_the_schema(tmp_path: Path) -> None:
    taxonomy = write_taxonomy(tmp_path, CONCEPTS + SCHEMA)
    url = "https://example.org/" + "x" * 60
    text = f"- A Study of Jobs (OSDI 2006) [[Paper]({url})] [[Code](https://github.com/a/b)]\n- A Study [[Paper](u)]\n"
    assert [
        (diagnostic.line, diagnostic.text, diagnostic.place.message, diagnostic.place.values)
        for diagnostic in run(entry, text, taxonomy)
    ] == [
        (1, "OSDI 2006", "described", {"description": "Give the year, 2010 or later."}),
        (1, "Paper", "described", {"description": "Link the short address."}),
        (2, "A Study", "described", {"description": "Give the year, 2010 or later."}),
        (2, "A Study", "long-value", {"field": "links", "error": "is too short"}),
    ]


def test_jsonschema_is_imported_only_for_a_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert run(entry, ENTRY) == []
    assert run(section, f"## Inference\n\n{ENTRY}", load("ml-systems")) == []


def found(folder: Path, schemas: str, text: str) -> list[tuple[str, str, dict[str, object]]]:
    taxonomy = write_taxonomy(folder, schemas)
    return [(each.text, each.place.message, dict(each.place.values)) for each in run(entry, text, taxonomy)]


def test_the_fields_are_those_of_the_export() -> None:
    assert schema("entry")["required"] == FIELDS


NARROWED = """
entry: {required: [year]}
concepts:
  training: {prefLabel: Training, entry: {required: [code, year]}}
  parallelism: {prefLabel: Parallelism, broader: training, entry: {required: [slides]}}
"""


def test_the_schemas_of_broader_concepts_apply_and_a_demand_is_reported_once(tmp_path: Path) -> None:
    text = "## Parallelism\n\n- A Study [[Paper](https://example.org/a.pdf)]\n\n## Others\n\n- A Look [[Paper](b.pdf)]\n"
    assert found(tmp_path, NARROWED, text) == [
        ("A Study", "missing", {"what": "year", "concept": ""}),
        ("A Study", "demanded", {"what": "code link", "concept": "Training"}),
        ("A Study", "demanded", {"what": "slides link", "concept": "Parallelism"}),
        ("A Look", "missing", {"what": "year", "concept": ""}),
    ]


TAGS = """
concepts: {a: {prefLabel: A}}
entry: {tags: [licence, language], required: [licence, venue], properties: {licence: {items: {enum: [MIT, GPL-3.0]}}}}
"""


def test_tags_stand_at_the_end_of_the_line(tmp_path: Path) -> None:
    text = "- [A](https://example.org/) - Like `cat`. `GPL 3.0/BSD` `Go`\n- [B](https://example.org/b) - Runs `x` here.\n"
    spans = [(span, message) for span, message, _ in found(tmp_path, TAGS, text)]
    assert sorted(spans) == [
        ("A", "missing"),
        ("B", "missing"),
        ("B", "missing"),
        ("BSD", "not-allowed"),
        ("GPL 3.0", "similar"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Runs. `BSD` `Go`",
        "Runs. [BSD] [Go]",
        r"Runs. \[BSD] \[Go\]",
        "Runs. [BSD] `Go`",
        "Runs. ![any](https://img.shields.io/badge/licence-BSD-blue) ![Go](https://example.org/go.svg)",
        "Runs. [![any](https://img.shields.io/badge/BSD-blue)](https://example.org/l) `Go`",
        "Runs. `Go` `Licence: BSD` ![Stars](https://img.shields.io/github/stars/a/b)",
        "Runs.\n  - `BSD`\n  - [Go]",
        "Runs.\n  - Licence: BSD\n  - Language: Go",
    ],
)
def test_tags_are_code_words_in_brackets_badges_and_bullets(line: str, tmp_path: Path) -> None:
    taxonomy = write_taxonomy(tmp_path, TAGS.replace("licence, venue]", "licence, language]"))
    (diagnostic,) = run(entry, f"- [A](https://example.org/) - {line}\n", taxonomy)
    assert diagnostic.place.message == "not-allowed" and diagnostic.place.values["value"] == "BSD"
    assert not diagnostic.place.edits


def test_a_bullet_is_no_tag_where_the_line_has_some(tmp_path: Path) -> None:
    text = "- [A](https://example.org/) - Runs. `MIT`\n  - `BSD`\n"
    assert found(tmp_path, TAGS, text) == [("A", "missing", {"what": "venue", "concept": ""})]


SECTIONS = """
concepts:
  training: {prefLabel: Training, entry: {required: [code, year], properties: {year: {minimum: 2020}}}}
  kernels: {prefLabel: Kernels}
  history: {prefLabel: History, entry: {optional: [code], properties: {year: {maximum: 2019}}}}
"""


def test_a_section_demands_of_its_subsections_what_they_do_not_say_otherwise(tmp_path: Path) -> None:
    entries = "- A Study (OSDI 2018) [[Paper](a.pdf)]\n"
    text = f"## Training\n\n### Kernels\n\n{entries}\n### History\n\n{entries}\n## Kernels\n\n{entries}"
    assert [
        (each.line, each.place.message) for each in run(entry, text, write_taxonomy(tmp_path, SECTIONS))
    ] == [(5, "demanded"), (5, "field")]


def test_a_venue_that_no_vocabulary_has_is_stated(tmp_path: Path) -> None:
    text = "- [SAA'25] [Useful Systems](https://arxiv.org/abs/2501.00001) `MIT`\n"
    assert found(tmp_path, TAGS, text) == []


COLUMNS = """
concepts: {a: {prefLabel: A}}
entry: {columns: [API, Auth], required: [Auth], properties: {Auth: {enum: ["Yes", O Auth]}}}
"""


@pytest.mark.parametrize(
    ("cell", "fixed", "safe"), [("yes", "Yes", True), ("oauth", "O Auth", False), ("Never", "Never", None)]
)
def test_a_cell_is_fixed_as_it_is_spelled(cell: str, fixed: str, safe: bool | None, tmp_path: Path) -> None:
    text = f"| API | Auth |\n|---|---|\n| [Cats](https://example.org/) | {cell} |\n"
    (diagnostic,) = run(entry, text, write_taxonomy(tmp_path, COLUMNS))
    assert diagnostic.text == cell and diagnostic.fixed == text.replace(cell, fixed)
    assert not diagnostic.place.edits or diagnostic.place.safe is safe


def test_columns_are_not_demanded_of_other_tables_and_lists(tmp_path: Path) -> None:
    table = "| Tool | Year |\n|---|---|\n| [Cats](https://example.org/) | 2020 |\n"
    assert found(tmp_path, COLUMNS, f"{table}\n- [A](https://example.org/a) - A thing.\n") == []


@pytest.mark.parametrize(
    ("schemas", "line", "message"),
    [
        ("entry: {required: [cod]}", 1, "no field, link role, tag or column 'cod', did you mean 'code'?"),
        ("entry:\n  tags: [code]", 2, "'code' is the name of a link role already: choose another one"),
        (
            "entry:\n  properties:\n    venu: {}",
            3,
            "no field, link role, tag or column 'venu', did you mean 'venue'?",
        ),
        ("entry:\n  tags: Licence", 2, "'tags' must be a list of text, not text"),
        ("entry: {properties: {title: {pattern: '(?=a)'}}}", 1, "no pattern that google-re2 can run"),
        ("entry: {properties: {year: {type: whole}}}", 1, "'whole' is no type"),
        ("entry: {properties: {year: {type: int}}}", 1, "'int' is no type: write 'integer'"),
        ("entry: {properties: {year: {pattern: a}}}", 1, "'pattern' is for a text, but 'year' is a number"),
        (
            "entry: {properties: {name: {maxlength: 9}}}",
            1,
            "unknown keyword 'maxlength', did you mean 'maxLength'?",
        ),
        ("entry: {properties: {year: {type: string}}}", 1, "'year' is a number, so no value has this type"),
        ("entry: {minimum: 3}", 1, "'minimum' is for a number, but an entry is a mapping"),
        ("entry: {then: {required: [year]}}", 1, "'then' says nothing without 'if'"),
        ("entry: {properties: {year: {tags: [a]}}}", 1, "'tags' stands at the top of an 'entry' only"),
        (
            "entry: {properties: {links: {items: {properties: {role: {minimum: 3}}}}}}",
            1,
            "'minimum' is for a number, but 'role' is a text",
        ),
    ],
)
def test_mistakes_in_a_schema_have_a_line(schemas: str, line: int, message: str, tmp_path: Path) -> None:
    with pytest.raises(TaxonomyError) as caught:
        write_taxonomy(tmp_path, f"{schemas}\nconcepts: {{a: {{prefLabel: A}}}}\n")
    assert caught.value.line == line and caught.value.message.startswith(message)
