"""Entries as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.exports.entries.citation_keys import CitationKeys
from shelfread.exports.entries.latex import latex, latex_title
from shelfread.exports.entries.person_name import OTHERS, PersonName
from shelfread.exports.entries.reference import EntryData, Reference, reference_of, url_text
from shelfread.taxonomy.vocabulary import Vocabulary

FIRST_LINE = "% Exported by shelfread."
_TYPES = {"conference": "inproceedings", "journal": "article"}
_CONTAINERS = {"conference": "booktitle", "journal": "journal"}


def lines(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield BibTeX in ASCII where LaTeX has commands, with keys that do not change when entries are added below."""
    yield FIRST_LINE
    keys = CitationKeys()
    for entry, vocabulary in entries:
        reference = reference_of(entry, vocabulary)
        yield ""
        yield f"@{_TYPES.get(reference.kind, 'misc')}{{{keys.next(reference)},"
        yield from (f"  {name} = {{{value}}}," for name, value in _fields(reference) if value)
        yield "}"


def _fields(reference: Reference) -> Iterator[tuple[str, str]]:
    others = [OTHERS] if reference.has_more_authors else []
    yield "author", " and ".join([*map(_name, reference.authors), *others])
    yield "title", latex_title(reference.title)
    yield _CONTAINERS.get(reference.kind, "howpublished"), latex(reference.container)
    yield "year", "" if reference.year is None else str(reference.year)
    yield "publisher", latex(reference.publisher)
    yield "doi", url_text(reference.doi)
    if reference.arxiv:
        yield "eprint", url_text(reference.arxiv)
        yield "archivePrefix", "arXiv"
    yield "url", reference.url
    yield "keywords", ", ".join(latex(keyword) for keyword in reference.keywords)
    yield "abstract", latex(reference.abstract)
    yield "annote", latex(reference.annotation)


def _name(name: PersonName) -> str:
    """Return a name as `von Last, Jr, First`; braces keep one that is not parted in one piece."""
    if name.whole:
        return OTHERS if name.family == OTHERS else f"{{{latex(name.family)}}}"
    parts = (f"{name.particle} {name.family}".strip(), name.suffix, name.given)
    return ", ".join(latex(part) for part in parts if part)
