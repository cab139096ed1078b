"""Reads BibTeX, and LaTeX as plain text."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import need
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.years import find_year
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry, noted_links
from shelfread.imports.stated_venue import StatedVenue, best_venue
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

_MARKUP = lazy(r"[\\$~]|--|``|''")
_BRACES = str.maketrans("", "", "{}")
_PERCENT = lazy(r"(?<!\\)%")
_DOLLAR = lazy(r"(?<!\\)\$")
# Categories of pylatexenc for whole documents: `<cit.>` for a citation, an upper-case heading for `\section`.
_LAYOUT = ["latex-placeholders", "latex-approximations", "latex-ethuebung", "nonstandard-qit"]
# Commands whose argument stays as it is: `O(n)` for `\mathcal{O}(n)`.
_AS_IS = "ensuremath sqrt mathbf mathit mathsf mathbb mathtt mathcal mathscr mathfrak".split()
_MACROS = {"TeX": "TeX", "LaTeX": "LaTeX", "BibTeX": "BibTeX", "epsilon": "ε", "phi": "φ", "textasciicircum": "^", "copyright": "©", "slash": "/", "-": "", "\\": " ", "today": "", "input": "", "include": ""}  # fmt: skip


@lru_cache(maxsize=4096)  # authors and venues recur
def to_unicode(text: str) -> str:
    """Return a field's value as plain text: accents composed, known commands replaced, others and braces dropped."""
    if _MARKUP.search(text) is not None:
        text = _PERCENT.sub(r"\%", text)  # a field has no comments
        if len(_DOLLAR.findall(text)) % 2:
            text = _DOLLAR.sub(r"\$", text)  # a price
        with suppress(RecursionError, IndexError):  # nested too deeply, or `\verb` at the end
            return " ".join(_decoder().latex_to_text(text).split())
    return " ".join(text.translate(_BRACES).split())


@cache
def _decoder() -> LatexNodes2Text:
    from pylatexenc.latex2text import (
        LatexNodes2Text,
        MacroTextSpec,
        SpecialsTextSpec,
        get_default_latex_context_db,
    )

    context = get_default_latex_context_db().filter_context(exclude_categories=_LAYOUT)
    context.add_context_category(
        "fields of entries",
        [
            *(MacroTextSpec(name, discard=False) for name in _AS_IS),
            *(MacroTextSpec(name, text) for name, text in _MACROS.items()),
        ],
        specials=[SpecialsTextSpec("&", "&")],
        prepend=True,
    )
    context.set_unknown_macro_spec(MacroTextSpec("", discard=False))
    return LatexNodes2Text(latex_context=context, math_mode="text", strict_latex_spaces=True)


KIND = "bibtex"
_START = lazy(r"^[ \t]*@(?!comment\b|string\b|preamble\b)[A-Za-z]+[ \t]*[{(]", 10)
_AND = lazy(r"(?<!\s)\s+and\s+", 2)
_WEB = lazy(r"https?://[^\s{}\\]+")
_ESCAPED = lazy(r"\\(?:([_%&#])|(~)\{\})")
_CONTAINERS = "booktitle journal journaltitle eventtitle maintitle series school institution howpublished publisher".split()
_MAY_STATE_ARXIV = ("journal", "volume", "number", "note", "howpublished")
_WEAK = ("series", "publisher", "howpublished")  # fields that are a venue only if the vocabulary knows it
# What `howpublished` says beside an arXiv id if it is no venue.
_HOW = lazy(r"(?i)arxiv|access|available|code|github|online|preprint|private|retrieved|software|web")
_PAPERS = frozenset(
    "article inproceedings conference incollection inbook phdthesis mastersthesis thesis techreport report unpublished".split()
)
_THINGS = frozenset("software online electronic www manual dataset misc".split())
_NO_DESCRIPTION = lazy(
    r"(?i)\b(?:accessed|visited|retrieved|viewed|checked|accepted|submitted|to appear|in press|under review|arxiv|preprint|doi)\b"
    r"|://|^\W*(?:version\b|v?\d)|\d{4}-\d\d"
)


class _Record(NamedTuple):
    """An entry of the file: its key without case, its kind, its fields by name in lower case, its lines."""

    key: str
    kind: str
    fields: Mapping[str, str]
    line: int
    end_line: int


def looks_like(text: str) -> bool:
    """Return whether a text has the beginning of an entry."""
    return _START.search(text) is not None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the entries of a file in order. One that cannot be parsed, or has no title, is left out."""
    records: list[_Record] = []
    for block in _blocks(source.text.replace("\r\n", "\n").replace("\r", "\n")):
        if isinstance(block, UnreadPart):
            yield block
        else:
            records.append(block)
    named = {record.fields["crossref"].casefold() for record in records if "crossref" in record.fields}
    parents = {record.key: record for record in records if record.key in named}
    for record in records:
        if record.kind in ("proceedings", "collection") and record.key in parents:
            continue
        parent = parents.get(record.fields.get("crossref", "").casefold())
        inherited = _inherited(parent.fields) if parent is not None and parent is not record else {}
        origin = EntryOrigin(source.path, record.line, record.end_line)
        entry = _entry({**inherited, **record.fields}, record.kind, origin, taxonomy.vocabulary)
        yield entry or UnreadPart(record.line, "an entry without a title")


def _blocks(text: str) -> Iterator[_Record | UnreadPart]:
    need("import", "BibTeX")
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry, ParsingFailedBlock

    # The library reports broken entries on standard error too.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    for block in parse_string(text).blocks:
        line = (block.start_line or 0) + 1
        # A failed block with an entry is whole: only its key, or a field, occurs twice.
        entry = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block
        if isinstance(entry, Entry):
            end_line = line + (entry.raw or "").rstrip().count("\n")
            values = ((field.key.lower(), str(field.value).strip()) for field in reversed(entry.fields))
            fields = {key: value for key, value in values if value}  # the first one of a name counts
            yield _Record(entry.key.casefold(), entry.entry_type.lower(), fields, line, end_line)
        elif isinstance(block, ParsingFailedBlock):
            yield UnreadPart(line, f"a broken entry: {_reason(block.error)}")


def _reason(error: Exception) -> str:
    reason = " ".join(str(getattr(error, "abort_reason", error)).split()).rstrip(".")
    if reason.startswith("Unexpected block start"):
        return "it is not closed before the next one begins"
    if "end of file" in reason:
        return "it is not closed"
    return reason[:1].lower() + reason[1:160]


def _inherited(parent: Mapping[str, str]) -> dict[str, str]:
    taken = {
        key: parent[key] for key in ("year", "date", "series", "publisher", "eventtitle") if key in parent
    }
    if "title" in parent or "booktitle" in parent:
        taken["booktitle"] = parent.get("booktitle") or parent["title"]
    return taken


def _entry(
    fields: Mapping[str, str], kind: str, origin: EntryOrigin, vocabulary: Vocabulary
) -> ImportedEntry | None:
    title = to_unicode(fields.get("title", ""))
    if not any(map(str.isalnum, title)):
        return None
    if subtitle := to_unicode(fields.get("subtitle", "")):
        title = f"{title.rstrip(':')}: {subtitle}"
    year = (stated := find_year(fields.get("year", "") or fields.get("date", ""))) and stated.year
    return build_entry(
        title, origin, KIND, vocabulary, authors=_people(fields.get("author", "")), venue=_venue(fields, year, vocabulary), year=year,
        doi=to_unicode(fields.get("doi", "")).replace("\\", ""), arxiv=_arxiv_text(fields), links=_links(fields, kind),
        description=_description(fields, kind), notes=_notes(fields, kind),
    )  # fmt: skip


def _description(fields: Mapping[str, str], kind: str) -> str | None:
    """Return what is said of a tool or a page; a note may say of a paper where it appeared, or when a page was seen."""
    note = fields.get("note", "")
    is_preprint = kind == "misc" and "author" in fields
    abstract = "" if is_preprint else fields.get("abstract")
    said = abstract or ("" if _NO_DESCRIPTION.search(note) else note)
    return to_unicode(said) if kind in _THINGS and "eprint" not in fields else None


def _notes(fields: Mapping[str, str], kind: str) -> Iterator[str]:
    """Yield what a note says of a paper, without what programs write: `Publisher: Shelf Press`."""
    note = fields.get("note", "")
    if kind in _PAPERS and ":" not in note and not _NO_DESCRIPTION.search(note):
        yield to_unicode(note)


def _links(fields: Mapping[str, str], kind: str) -> list[tuple[str, str]]:
    notes = "; ".join(fields[key] for key in ("note", "annote") if key in fields)
    return noted_links(_ESCAPED.sub(r"\1\2", notes), _main_link(fields, kind))


def _main_link(fields: Mapping[str, str], kind: str) -> Iterator[tuple[str, str]]:
    stated = fields.get("url") or fields.get("howpublished") or fields.get("ee") or ""
    if match := _WEB.search(_ESCAPED.sub(r"\1\2", stated)):
        url = match[0].rstrip(".,;")
        is_code = "github.com/" in url or "gitlab.com/" in url
        yield "Paper" if kind in _PAPERS and not is_code else "", url


def _archive(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()


def _arxiv_text(fields: Mapping[str, str]) -> str:
    """Return the fields that may state an arXiv id, in one text."""
    texts = [f"arXiv:{fields[key]}" for key in ("arxiv", "arxivid") if key in fields]
    texts += (fields[key] for key in _MAY_STATE_ARXIV if key in fields)
    if "eprint" in fields:
        number, archive = fields["eprint"], _archive(fields)
        if archive in ("", "arxiv"):  # an old number may stand apart from its archive: {9901001}, {hep-th}
            texts[:0] = (f"arXiv:{number}", f"{fields.get('primaryclass', '')}/{number}")
        else:
            texts[:0] = (f"{archive}/{number}",)
    return " ".join(texts)


def _venue(fields: Mapping[str, str], year: int | None, vocabulary: Vocabulary) -> StatedVenue:
    texts = {key: to_unicode(fields[key]) for key in _CONTAINERS if key in fields}
    texts = {key: text for key, text in texts.items() if text and "://" not in text}
    is_published = _archive(fields) == "arxiv" and not _HOW.search(texts.get("howpublished", "online"))
    stated = best_venue(texts, vocabulary, year, weak=_WEAK[: -1 if is_published else None])
    if stated.text is None and _archive(fields) == "arxiv" and (arxiv := vocabulary.venues.get("arxiv")):
        return StatedVenue(arxiv, arxiv.label, year, True)
    return stated


def _people(authors: str) -> list[str]:
    # The library loses accents at the beginning of names.
    return [to_unicode(person) for person in _AND.split(authors.strip()) if person.strip()]
