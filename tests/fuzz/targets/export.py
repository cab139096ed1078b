"""`export` in each format: what programs read can be read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from functools import cache

import bibtexparser
import rispy
from jsonschema import Draft202012Validator

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate
from fuzz.properties.printed import fit_to_print
from shelfread.core.folders import SCHEMA

__all__ = ["faults", "generate", "grow"]


def faults(data: bytes) -> Iterator[Fault]:
    """Export a list as JSON, as lines and for people."""
    done = commands.run("export", "--isolated", "-", input=data)
    yield from commands.badly_ended("export", done)
    if done.exit_code:
        return
    entries = json.loads(done.stdout_bytes)
    yield from fit_to_print("export", done.stdout_bytes.decode("utf-8"))
    last = data.count(b"\n") + data.count(b"\r") + 1
    for entry in entries:
        for error in _schema().iter_errors(entry):
            yield Fault("export: an entry that does not fit the schema", error.message[:300])
        if not 1 <= entry["line"] <= entry["end_line"] <= last:
            yield Fault("export: an entry outside of the list", f"{entry['line']}-{entry['end_line']}")
    lines = commands.run("export", "--isolated", "--format", "jsonl", "-", input=data).stdout_bytes.decode()
    if [json.loads(line) for line in lines.splitlines()] != entries:
        yield Fault("export: jsonl differs from json")
    yield from _references(data, len(entries))
    yield from commands.for_people("export", "--isolated", "--annotate", "-", input=data, workflow=True)


def _references(data: bytes, entries: int) -> Iterator[Fault]:
    """Export a list in the formats of other programs, which find as many entries."""
    texts = {}
    for form in ("csl-json", "bibtex", "ris", "csv", "markdown"):
        done = commands.run("export", "--isolated", "--format", form, "-", input=data)
        yield from commands.badly_ended(f"export --format {form}", done)
        texts[form] = done.stdout_bytes.decode("utf-8")
    found = {
        "csl-json": len({item["id"] for item in json.loads(texts["csl-json"])}),
        "bibtex": len({entry.key for entry in bibtexparser.parse_string(texts["bibtex"]).entries}),
        "ris": len(rispy.loads(texts["ris"])),
        "csv": len(list(csv.DictReader(io.StringIO(texts["csv"], newline=""), strict=True))),
    }
    for form, count in found.items():
        if count != entries:
            yield Fault(f"export: {form} has {count} of {entries} entries")


def grow(text: str) -> object:
    """Export a long list."""
    return commands.run("export", "--isolated", "-", input=text.encode("utf-8", "replace"))


@cache
def _schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMA / "entry.schema.json").read_text(encoding="utf-8")))
