"""URLs that run scripts."""

from __future__ import annotations

import pytest

from shelfread.checks.link.unsafe_urls import script
from support.project import run


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("javascript:alert(1)", True),
        ("JaVaScRiPt:x", True),
        ("<\x01java\tscript:x>", True),
        ("<vb\tscript:x>", True),
        ("data:text/html,x", True),
        ("data:image/svg+xml,x", False),
        ("file:///a", True),
        ("javascripting:x", False),
        ("javascript", False),
        ("files:a", False),
        ("https://a.org/javascript:x", False),
    ],
)
def test_scripts(url: str, found: bool) -> None:
    assert bool(run(script, f"[a]({url})\n")) is found
