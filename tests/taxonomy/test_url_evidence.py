"""Parts of URLs."""

from __future__ import annotations

from shelfread.taxonomy.hosts import split_url


def test_split_url() -> None:
    assert split_url("HTTPS://WWW.Arxiv.org/abs/1#x") == ("arxiv.org", "/abs/1#x")
    assert split_url("arxiv.org") == ("arxiv.org", "")
