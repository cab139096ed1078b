"""Venues and years: in another form than the list's, or not those of the link, the section or the venue's editions."""

from __future__ import annotations

from collections import Counter
from datetime import date

from shelfread.checks.common.styles import LocalStyles
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span, around
from shelfread.core.patterns import lazy
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.recognizers.venues import find_mentions
from shelfread.document.years import arxiv_year
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, When
from shelfread.index.observations import VENUE_FORM, VenueForm, find_venue_form
from shelfread.taxonomy.vocabulary import Evidence, Venue, Vocabulary

# With fewer agreeing entries for each one that differs, the years of headings mean something else.
_LEAST_AGREEING = 4


def year_agrees(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report preprints whose stated year is before that of their arXiv id; a later one may be a version's."""
    text = document.source.text
    for entry in document.entries:
        citation, identifier = entry.citation, entry.identifiers.get("arxiv")
        if identifier is None or citation is None or citation.venue is None or entry.year_from_arxiv_id:
            continue
        if citation.venue.id != "arxiv" or identifier in citation.text:
            continue
        stated, year = citation.year or entry.year, arxiv_year(identifier)
        if stated is None or year is None or stated >= year:
            continue
        if stated == year - 1 and identifier.partition(".")[0].endswith("01"):
            continue  # a paper of that year may have been posted in January
        span = (citation.year_span(text) if citation.year else None) or _apart(stated, citation, entry, text)
        if span is not None:
            yield RawDiagnostic(span, {"stated": stated, "id": identifier, "year": year})


def _apart(year: int, citation: Citation, entry: Entry, text: str) -> Span | None:
    """Return where an entry states its year before the title or beside the venue: `[2021/01]`, a column of years."""
    line, title = entry.title_line, entry.title.span
    gaps = ((line.start, title.start), (citation.span.end, line.end), (title.end, citation.span.start))
    start = next((start for gap in gaps if (start := text.find(str(year), *gap)) >= 0), None)
    return None if start is None else Span(start, start + len(str(year)))


def year_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that state another year than the section above, if few do."""
    if not any(section.year for section in document.sections):
        return
    differing: list[tuple[Entry, int]] = []
    agreeing = 0
    for entry in document.entries:
        years = (document.sections[at].year for at in document.above(entry.section))
        year = next((year for year in years if year is not None), None)
        if entry.kind != "paper" or year is None or entry.year is None or entry.year_from_arxiv_id:
            continue
        if entry.year == year:
            agreeing += 1
        elif arxiv_year(entry.identifiers.get("arxiv", "")) != year:
            cited = entry.citation
            # The year of a preprint may be that of another version.
            if cited is None or cited.venue is None or cited.venue.kind != "preprint":
                differing.append((entry, year))
    if len(differing) * _LEAST_AGREEING > agreeing:
        return  # the years of these headings mean something else
    text = document.source.text
    for entry, year in differing:
        values = {"stated": entry.year, "year": year}
        yield RawDiagnostic(_stated_span(entry, text), values, severity=Severity.WARNING)


def _stated_span(entry: Entry, text: str) -> Span:
    """Return where an entry states its year, else its title."""
    if entry.citation is None or entry.citation.year != entry.year:
        return entry.title.span
    return entry.citation.year_span(text) or entry.citation.span


def venue_year(document: Document, context: RuleContext, *, today: str = "") -> RawDiagnostics:
    """Report editions that were never held, or are later than next year; `today` is an ISO date."""
    latest = (date.fromisoformat(today).year if today else context.disk.this_month()[0]) + 1
    text = document.source.text
    stated = [entry.citation for entry in document.entries if entry.citation is not None]
    stated += [section.citation for section in document.sections if section.citation is not None]
    for citation in stated:
        venue, year = citation.venue, citation.year
        if venue is None or year is None:
            continue
        span = citation.year_span(text)
        values: dict[str, object] = {"venue": venue.label_in(year), "year": year}
        if year > latest:
            if span is None or span.end - span.start < 4:
                continue  # two digits may be a day or a volume
            message, values["latest"] = "future", latest
        elif venue.held_in(year) is False:
            message = "never-held"
        else:
            continue
        yield RawDiagnostic(span or citation.span, values, message=message)


_GOES_ON = lazy(r"[ \t]+[^\W\d_]")
_BESIDE_CONFERENCE = lazy(
    r"(?i)workshop|\bws\b|@|competition|challenge|shared task|data ?set|test set|tutorial|companion|adjunct"
    r"|extended abstract"
)
_FINDINGS = lazy(r"(?i)findings of (?:the )?")
_PROVING = ("paper", "review")


def venue_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report venues that are written with their year in another form than the list's."""
    text = document.source.text
    usual = context.departures(document, VENUE_FORM, when)
    if not usual:
        return
    papers = [entry for entry in document.entries if entry.kind == "paper" and entry.citation is not None]
    written = [(entry, form) for entry in papers if (form := find_venue_form(entry, text)) is not None]
    styles = LocalStyles(document, ((entry, form.group, form.text) for entry, form in written))
    counts = Counter((form.group, form.text) for _, form in written)
    for entry, form in written:
        convention = usual.get(form.group)
        if convention is None or convention.form == form.text:
            continue
        if counts[form.group, form.text] > counts[form.group, convention.form]:
            continue  # this file has a form of its own
        is_own = styles.has(entry, form.group, form.text, convention.form, when)
        if not entry.is_heading and not is_own:  # other words in a heading change its anchor
            yield from _diagnostic(entry, form, convention, text, when)


def _diagnostic(
    entry: Entry, form: VenueForm, convention: Convention, text: str, when: When
) -> RawDiagnostics:
    cited = entry.citation
    assert cited is not None and cited.name is not None
    separator, digits = convention.form.rstrip("Y"), convention.form.count("Y")
    span = Span(cited.name.span.start, form.span.end)
    before = text[span.start : span.end]
    after = f"{cited.name.value}{separator}{str(cited.year)[-digits:]}"
    if _GOES_ON.match(text, span.end):
        return  # `NeurIPS 2020 Offline RL Workshop`
    shown = before.replace("  ", "\u2423\u2423")  # messages have single spaces only
    values = {"before": shown, "after": after, "count": convention.cases, "total": convention.total}
    edits = (Edit.reword(span, before, after),)
    # Full names are copied with their citations, each in the style of its source.
    is_clear = when == "always" or (convention.is_strict and not form.group.startswith("words"))
    # Written twice in one entry, it would differ from itself.
    safe = is_clear and text.count(before, *entry.span) == 1
    yield RawDiagnostic(span, values, edits, safe, Severity.ERROR if is_clear else Severity.INFO)


def venue_agrees(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries whose paper link is to another venue or year than the stated one."""
    vocabulary, text = context.vocabulary, document.source.text
    for entry in document.entries:
        citation = entry.citation
        if citation is None or citation.venue is None or citation.venue.kind == "preprint":
            continue
        if citation.year is None:
            yield from _year_of_cell(entry, citation.venue, text, vocabulary)
        proofs = _proofs(entry, vocabulary)
        if proofs and not any(_agrees(citation.venue, citation.year, proof, vocabulary) for proof in proofs):
            yield from _difference(entry, citation, proofs[0], text, vocabulary)


def _proofs(entry: Entry, vocabulary: Vocabulary) -> list[Evidence]:
    papers = (label for label in entry.links if label.role is not None and label.role.id in _PROVING)
    return [proof for label in papers if (proof := vocabulary.evidence(label.link.url)) is not None]


def _year_of_cell(entry: Entry, venue: Venue, text: str, vocabulary: Vocabulary) -> RawDiagnostics:
    """Yield a year in a cell of its own beside that of the venue, if the link is to another edition."""
    cells = entry.block.blocks if entry.block.kind == "row" and entry.year is not None else ()
    bare = (cell for cell in cells if text[cell.start : cell.end].strip(" \t*_`") == str(entry.year))
    starts = (text.find(str(entry.year), cell.start) for cell in bare)
    cell = next((Span(start, start + 4) for start in starts), None)
    proofs = _proofs(entry, vocabulary) if cell is not None else []
    if cell is None or not proofs or any(proof.year in (None, entry.year) for proof in proofs):
        return
    proven, year = proofs[0]
    if proven is not None and vocabulary.are_equivalent(venue, proven):
        edit = Edit.reword(cell, text[slice(*cell)], str(year))
        values = {
            "stated": f"{venue.label_in(entry.year or 0)} {entry.year}",
            "proven": f"{proven.label_in(year or 0)} {year}",
        }
        yield RawDiagnostic(cell, values, (edit,), safe=False)


def _agrees(venue: Venue, year: int | None, proof: Evidence, vocabulary: Vocabulary) -> bool:
    assert proof.venue is not None
    if not vocabulary.are_equivalent(venue, proof.venue):
        return False
    if year is None or proof.year is None or venue.id != proof.venue.id:
        return True
    return year == proof.year


def _difference(
    entry: Entry, citation: Citation, proof: Evidence, text: str, vocabulary: Vocabulary
) -> RawDiagnostics:
    """Report the part of a citation that differs, unless the title line states the link's venue as well."""
    assert citation.venue is not None and proof.venue is not None
    if _BESIDE_CONFERENCE.search(around(text, *citation.span, 20, 30)):
        return
    line = text[entry.title_line.start : entry.title_line.end]
    for mention in find_mentions(line, vocabulary):
        # The full name before the acronym and the year is a part of the citation.
        start = mention.start + entry.title_line.start
        is_part = mention.year is None and citation.span.start <= start < citation.span.end
        if mention.venue and not is_part and _agrees(mention.venue, mention.year, proof, vocabulary):
            return
    other_venue = not vocabulary.are_equivalent(citation.venue, proof.venue)
    year = proof.year if proof.year != citation.year else None
    label = proof.venue.label_in(proof.year or citation.year or 0)
    printed_year = citation.year_span(text)
    name = citation.name
    edits: list[Edit | None] = []
    if other_venue:
        is_printed = name is not None and text[slice(*name.span)] == name.value
        findings = _FINDINGS.match(name.value) if name else None
        right = (findings[0] if findings else "") + label
        edits.append(Edit.reword(name.span, name.value, right) if name and is_printed else None)
    if year is not None and citation.year is not None:
        before = text[slice(*printed_year)] if printed_year else ""
        edits.append(Edit.reword(printed_year, before, str(year)[-len(before) :]) if printed_year else None)
    span = printed_year if not other_venue and printed_year is not None else citation.span
    if other_venue and year is None and name is not None:
        span = name.span
    # No fix if only a part can be edited; other words in a heading would change its anchor.
    possible = () if None in edits or entry.is_heading else tuple(filter(None, edits))
    values = {"stated": citation.text, "proven": f"{label} {proof.year or ''}".rstrip()}
    yield RawDiagnostic(span, values, possible, safe=False)
