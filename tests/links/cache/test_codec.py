"""Records as JSON: rows from elsewhere are validated."""

from __future__ import annotations

import pytest

from shelfread.links.cache.codec import decode, encode
from support.full_record import FULL, NOW

# Rows from elsewhere.
ROW = encode(FULL) or ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"moved"', '"dangerous"'),
        ('"moved"', "[]"),
        ('"verdict"', '"v"'),
        ('"reason": "moved permanently"', '"reason": 5'),
        ('"reason": "moved permanently"', '"reason": "' + "x" * 1001 + '"'),
        ('"https://a.example/x"', '"file:///etc/passwd"'),
        ('"https://a.example/x"', '"javascript:alert(1)"'),
        ('"https://a.example/x"', '"https://a.example/\\u001b[31m"'),
        ('"https://a.example/x"', "null"),
        (", 301]", ", 3010]"),
        (", 301]", ", -1]"),
        (", 301]", ", true]"),
        (", 301]", ", 301, 5]"),
        ('"etag"', '"else"'),
        ('[["link/moved"', '[["link/evil"'),
        ('[["link/moved", "https:', '[["link/moved", "javascript:'),
        ('"it moved", 1]', '"it moved", 2]'),
        ('"it moved", 1]', '"it moved", true]'),
        ('"it moved", 1]', '"it moved"]'),
        ('"repairs_checked_at": ', '"repairs_checked_at": -'),
        ('"hops": [', '"hops": [5, '),
        ('"failures": 2', '"failures": -2'),
        ('"failures": 2', '"failures": ' + "9" * 5000),
        ('"failures": 2', '"failures": true'),
        ('"checked_at": NOW', '"checked_at": NaN'),
        ('"checked_at": NOW', '"checked_at": 1e999'),
        ('"checked_at": NOW', '"checked_at": Infinity'),
        ('"checked_at": NOW', '"checked_at": -5'),
        ('"checked_at": NOW', '"checked_at": "now"'),
        ('"checked_at": NOW', '"checked_at": 999999999999'),
        ('"anchors": [', '"anchors": [5, '),
        ('"anchors": [', '"anchors": ["\\ud800", '),
        ('"anchors": [', '"anchors": {}, "x": ['),
        ('"etag": "W', '"etag": "\\r\\nx: y'),
        ('"etag": "W', '"etag": "\\u00fc'),
        ('"source": "doi.org"', '"source": null'),
    ],
)
def test_an_invalid_row_is_ignored(old: str, new: str) -> None:
    old = old.replace("NOW", str(NOW))  # not in the parameters: their ids must be the same in every process
    assert decode(FULL.url, ROW) == FULL
    assert old in ROW
    assert decode(FULL.url, ROW.replace(old, new)) is None


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "5", "{", "[" * 100_000, '{"a":' * 50_000, None, 5, b"{}"]
)
def test_other_json_is_ignored(text: object) -> None:
    assert decode(FULL.url, text) is None
