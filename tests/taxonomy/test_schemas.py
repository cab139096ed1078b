"""The bundled schemas are schemas, and the bundled data fit them and do not contradict themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from shelfread.core.errors import TaxonomyError
from shelfread.core.folders import SCHEMA
from shelfread.core.json_schema import schema, validate
from shelfread.core.yaml_files import read
from shelfread.taxonomy.label_forms import fold, squash
from shelfread.taxonomy.load import vocabulary

BUNDLED = sorted((SCHEMA / "taxonomies").glob("*.yaml"))


@pytest.mark.parametrize("path", sorted(SCHEMA.glob("*.schema.json")), ids=lambda path: path.stem)
def test_schemas_are_valid_and_self_contained(path: Path) -> None:
    text = path.read_text("utf-8")
    Draft202012Validator.check_schema(json.loads(text))
    assert '"$ref": "#/$defs/' in text or "$ref" not in text


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled_taxonomies_fit_their_schema(path: Path) -> None:
    validate(read(path, TaxonomyError), "taxonomy")


def bundled(name: str, kind: str) -> dict[str, Any]:
    terms: dict[str, Any] = read(SCHEMA / "taxonomies" / f"{name}.yaml", TaxonomyError).data[kind]
    return terms


def test_labels_are_unique() -> None:
    known = vocabulary()
    for venue in known.venues.values():
        assert {known.venue(label) for label in venue.labels} == {venue}
        assert all(squash(label) for label in venue.labels)
    for role in known.roles.values():
        assert {known.role(label) for label in role.labels} == {role}
        assert len({fold(label) for label in role.labels}) == len(role.labels), role.id


def test_parts_of_urls_prove_one_venue() -> None:
    seen: dict[tuple[str, str], str] = {}
    for id, term in vocabulary().venues.terms.items():
        for kind in ("doi", "pmlr", "ieee", "usenix", "anthology", "cvf"):
            given: Any = term.get(kind, [])
            marks = (
                given.values() if isinstance(given, dict) else given if isinstance(given, list) else [given]
            )
            for mark in marks:
                for one in mark if isinstance(mark, list) else [mark]:
                    assert seen.setdefault((kind, str(one).upper()), id) == id


def test_hosts_have_one_role() -> None:
    hosts = [host for role in vocabulary().roles.values() for host in role.hosts]
    assert len(hosts) == len(set(hosts))


def test_venue_details_are_of_known_venues() -> None:
    assert bundled("venues-about", "venues").keys() <= vocabulary().venues.keys()


def test_example_entry_is_valid() -> None:
    entry = {
        "title": "Supporting Very Large Models using Automatic Dataflow Graph Partitioning",
        "name": None,
        "description": None,
        "venue": "EuroSys",
        "venue_text": "EuroSys 2019",
        "year": 2019,
        "authors": [],
        "affiliations": ["NYU"],
        "notes": ["Tofu: *Automatic partition* ..."],
        "identifiers": {"doi": "10.1145/3302424.3303953", "arxiv": None, "github": None, "openreview": None},
        "links": [{"label": "Paper", "role": "paper", "url": "https://doi.org/10.1145/3302424.3303953"}],
        "section": ["Deep Learning Training", "Parallelism"],
        "concept": "parallelism",
        "dialect": "bracket-links",
        "path": "list.md",
        "line": 12,
        "end_line": 14,
    }
    fits = Draft202012Validator(schema("entry")).is_valid
    assert fits(entry)
    assert not fits({**entry, "doi": "x"})
    assert not fits({**entry, "links": [{"label": "Paper", "url": "x"}]})
    assert not fits({key: value for key, value in entry.items() if key != "venue_text"})


def test_the_vocabulary_loads_without_jsonschema() -> None:
    code = (
        "import sys; from shelfread.taxonomy.load import load; v = load('ml-systems').vocabulary\n"
        "v.evidence('https://doi.org/10.1145/3302424.3303953'); v.role('pdf'); v.venue('OSDI')\n"
        "assert not {'jsonschema', 'difflib', 'referencing'} & set(sys.modules), 'imported'"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
