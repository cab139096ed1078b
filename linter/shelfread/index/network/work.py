"""What a source of bibliographic data says of a paper or a program."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.support.named_tuple import NamedTuple


class Work(NamedTuple):
    """A paper, program or page as one source describes it. Unknown texts are empty."""

    source: str
    """The name of the source, for people: arXiv, Crossref, DBLP, OpenAlex, GitHub."""
    title: str
    authors: tuple[str, ...] = ()
    """As printed: given names first."""
    venue: str = ""
    """As the source writes it: `Proceedings of the 29th Symposium on Operating Systems Principles`."""
    is_preprint: bool = False
    year: int | None = None
    doi: str = ""
    """In lower case."""
    arxiv: str = ""
    """Without its version."""
    url: str = ""
    """The page that the source names for readers."""
    code: str = ""
    """The URL of a repository that the authors name."""
    description: str = ""
    """What the source says of a program or page in a sentence."""


def is_published(works: Iterable[Work]) -> bool:
    """Return whether works tell where and when a paper was published."""
    return any(work.venue and not work.is_preprint and work.year for work in works)
