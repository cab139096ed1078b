"""What is found in a list does not depend on how its lines end."""

from __future__ import annotations

import pytest

from shelfread.engine.model import RunRequest
from shelfread.engine.run import run
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load
from support.examples import PAGES

pytestmark = pytest.mark.slow

UNCLOSED = "# List\n\n- [One](https://one.org - Does it.\n- [Two](https://two.org) - Does it.\n- [Three](https://three.org - Does it.\n"


RULES = select(EMPTY, ("core", "papers", "awesome", "strict"), (), ())


def found(text: str) -> list[tuple[str, str, tuple[int, int], bool]]:
    """Each finding: its rule, message, line and column, and whether it has a fix."""
    request = RunRequest(("list.md",), (), RULES, load(), unsaved={"list.md": text.encode()})
    (result,) = run(request).files
    return sorted(
        (finding.rule, finding.message, result.source.position(finding.span.start), finding.fix is not None)
        for finding in result.diagnostics
    )


@pytest.mark.parametrize("id", PAGES)
def test_the_examples_of_a_rule(id: str) -> None:
    for example in PAGES[id].examples:
        for text in example.files.values():
            if "\r" not in text:
                expected = found(text)
                for end in ("\r\n", "\r"):
                    assert found(text.replace("\n", end)) == expected, f"line {example.line} with {end!r}"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_addresses_that_are_not_closed(end: str) -> None:
    expected = found(UNCLOSED)
    assert {(rule, line) for rule, _, (line, _), _ in expected} >= {
        ("link/malformed", 3),
        ("link/malformed", 5),
    }
    assert found(UNCLOSED.replace("\n", end)) == expected
