"""What the network answered in a run, for the checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.support.named_tuple import NamedTuple

if TYPE_CHECKING:
    from shelfread.index.network.link_record import LinkRecord
    from shelfread.index.network.work import Work


class Answers(NamedTuple):
    """The records of links by URL without fragment, and the works by the keys of entries; empty for `check`."""

    links: Mapping[str, LinkRecord] = {}
    works: Mapping[str, Sequence[Work]] = {}
    """By `doi:10.1145/...`, `arxiv:1706.03762` or `title:...`, the key of `document.identity.keys`."""


NO_ANSWERS = Answers()
