"""Atom feeds from untrusted servers."""

from __future__ import annotations

from shelfread.links.registries.papers import read_feed
from support.work import ends


def test_expanding_xml_is_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = (
        f'<!DOCTYPE feed [<!ENTITY l0 "ha">{laughs}]><feed xmlns="http://www.w3.org/2005/Atom">&l11;</feed>'
    )
    outside = '<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed xmlns="http://www.w3.org/2005/Atom"/>'
    deep = '<feed xmlns="http://www.w3.org/2005/Atom">' + "<a>" * 100_000
    with ends():
        assert [read_feed(text.encode()) for text in (bomb, outside, deep)] == [None] * 3
    assert read_feed(b"") is None
    assert read_feed(b"<?xml version='1.0' encoding='no-such'?><feed/>") is None
