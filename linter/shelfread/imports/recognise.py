"""Recognises what an input is, and reads it."""

from __future__ import annotations

from collections.abc import Callable

from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.imports import bare_ids, bibtex, copied_page, csl_json, csv_table, markdown_list, ris, scholar
from shelfread.imports.model import Import
from shelfread.imports.references import reference_list
from shelfread.taxonomy.taxonomy import Taxonomy


class Kind(NamedTuple):
    """A kind of input: what people call it, whether a text looks like it, and the function that reads it."""

    label: str
    looks_like: Callable[[str], bool]
    read: Callable[[Source, Taxonomy], Import]


# In the order in which they are looked for: the strictest first.
KINDS = {
    bibtex.KIND: Kind(
        "BibTeX", bibtex.looks_like, lambda source, words: bibtex.read(source, words.vocabulary)
    ),
    ris.KIND: Kind("RIS", ris.looks_like, lambda source, words: ris.read(source, words.vocabulary)),
    csl_json.KIND: Kind(
        "CSL-JSON", csl_json.looks_like, lambda source, words: csl_json.read(source, words.vocabulary)
    ),
    csv_table.KIND: Kind(
        "CSV", csv_table.looks_like, lambda source, words: csv_table.read(source, words.vocabulary)
    ),
    bare_ids.KIND: Kind(
        "identifiers, one a line",
        bare_ids.looks_like,
        lambda source, words: bare_ids.read(source, words.vocabulary),
    ),
    scholar.KIND: Kind(
        "Google Scholar results",
        scholar.looks_like,
        lambda source, words: scholar.read(source, words.vocabulary),
    ),
    copied_page.KIND: Kind("a copied web page", copied_page.looks_like, copied_page.read),
    reference_list.KIND: Kind(
        "a reference list",
        reference_list.looks_like,
        lambda source, words: reference_list.read(source, words.vocabulary),
    ),
    markdown_list.KIND: Kind("Markdown", markdown_list.looks_like, markdown_list.read),
}


def recognise(source: Source) -> str:
    """Return the kind of a text; raises InputError for one that is empty. A text of no other kind is a reference list."""
    if not source.text.strip():
        raise InputError("nothing to import: it is empty", source.path)
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    return next((name for name, kind in KINDS.items() if kind.looks_like(text)), reference_list.KIND)


def read_import(source: Source, kind: str, taxonomy: Taxonomy, *, is_guess: bool = False) -> Import:
    """Return the entries of a text of a kind, which may be a guess; raises InputError if it has none."""
    if not source.text.strip():
        raise InputError("nothing to import: it is empty", source.path)
    found = KINDS[kind].read(source, taxonomy)
    if not found.entries:
        first = f": {found.unread[0].reason}" if found.unread else ""
        line = found.unread[0].line if found.unread else None
        hint = " (--from says what it is)" if is_guess else ""
        raise InputError(f"read as {KINDS[kind].label}, it has no entry{first}{hint}", source.path, line)
    return found
