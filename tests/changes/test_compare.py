"""Which fields of a changed entry are told to people."""

from __future__ import annotations

import pytest

from shelfread.changes.compare import compare, reportable_fields
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.load import load

TAIL = "- [Kite](https://example.org/kite) - Flies.\n"


def listed(entry: str) -> Document:
    return read(Source(f"# List\n\n## Tools\n\n{entry}\n{TAIL}", "list.md"), load(None).vocabulary)


@pytest.mark.parametrize(
    ("before", "after", "fields"),
    [
        ("[Tofu](https://example.org/tofu) - Does it.", "[Tofu 2](https://example.org/tofu) - Does it.", {"title"}),
        ("[Tofu](https://example.org/tofu) - Does it.", "[Tofu](https://example.org/tofu) - Does more.", {"description"}),
        (
            "[Tofu](https://example.org/tofu) - Does it. [Docs](https://example.org/docs)",
            "[Tofu](https://example.org/tofu) - Does it. [Manual](https://example.org/docs)",
            {"links"},
        ),
        (
            "[Tofu](https://github.com/a/tofu) - Does it.",
            "[Tofu](https://github.com/b/tofu) - Does it.",
            {"links"},
        ),
    ],
)  # fmt: skip
def test_what_follows_from_another_field_is_not_told(before: str, after: str, fields: set[str]) -> None:
    (changed,) = compare([listed(f"- {before}")], [listed(f"- {after}")]).changed
    assert {change.field for change in reportable_fields(changed)} == fields
