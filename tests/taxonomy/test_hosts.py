"""Facts about hosts."""

from __future__ import annotations

import pytest

from shelfread.taxonomy.hosts import registrable


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("a.example", "a.example"),
        ("www.cs.a.edu", "a.edu"),
        ("www.a.co.uk", "a.co.uk"),
        ("x.y.a.com.au", "a.com.au"),
        ("www.u.ac.jp", "u.ac.jp"),
        ("x.a.github.io", "a.github.io"),
        ("www.ibm.de", "ibm.de"),
        ("t.co", "t.co"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("localhost", "localhost"),
    ],
)
def test_registrable(name: str, domain: str) -> None:
    assert registrable(name) == domain
