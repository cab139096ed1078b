"""Names of hosts and parts of URLs by which links are judged: the kinds of link_words.yaml."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.yaml_files import load_table

_TABLE = load_table(Path(__file__).with_name("link_words.yaml"))


def link_words(kind: str) -> frozenset[str]:
    """Return the words of one kind."""
    return frozenset(_TABLE[kind].split())
