"""Inserts entries into the file of a list, without those that its project lists already, or opens a new section for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, apply_edits
from shelfread.core.errors import ConfigError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.wording import one_line
from shelfread.document.entry_data import citation_and_year
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import Generated
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, is_paper_url, title_key
from shelfread.document.model import Document, Section
from shelfread.document.read import read
from shelfread.document.years import find_year
from shelfread.engine.load_save import load_files
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert_entries import Inserted, insert_entries, verify
from shelfread.imports.insertion_point import end_of_section
from shelfread.imports.target_section import SectionFinder, Target, by_words, find_by_words, named_section
from shelfread.index.context import build_context
from shelfread.index.facts import Facts
from shelfread.index.item_style import Writer, new_lines
from shelfread.index.pages import are_one_list
from shelfread.index.table_of_contents import contents_of
from shelfread.markdown.html import escape_inside
from shelfread.project.files import find_inputs
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

# What the name of a section may not have in a comment; no name depends on it. `Training > 2025` is a path.
_IN_COMMENTS = lazy(r"--+|[|<?]")
_RULE = lazy(r"-{3,}|\*{3,}|_{3,}")
_NUMBERING = lazy(r"^\d{1,2}(?: \d{1,2})* (?=[^\W\d])")  # of a folded heading: `2 doughs`
_HEADINGS = ("heading", "html")
_DEEPEST = 6
_MOST = 0.8  # a section with so many of the entries only stands over those that part them
_FEWEST_SORTED = 3  # sections by which the alphabet can be seen


def with_new_section(
    document: Document, name: str, parent: str | None, taxonomy: Taxonomy
) -> tuple[Document, int]:
    """Return a list with an empty new section, in the order of its siblings, and its index; raises ConfigError if it has no place."""
    source, path = document.source, document.source.path
    above = named_section(document, parent) if parent is not None else None
    siblings = _siblings(document, above)
    level = siblings[-1].level if siblings else document.sections[above].level + 1 if above is not None else 2
    wanted = _NUMBERING.sub("", fold(name))
    same = next((each for each in siblings if _NUMBERING.sub("", fold(each.title)) == wanted), None)
    if same is not None:
        raise ConfigError(
            f"there is a section '{same.title}' already (line {same.line}): use --section", path
        )
    if not fold(name):
        raise ConfigError("a new section needs a name with letters or digits", path)
    if level > _DEEPEST:
        raise ConfigError(f"'{parent}' cannot have a section below it: name another one", path)
    line = _line_for(document, name, _in_contents(siblings, document, taxonomy) or siblings, above)
    newline, lines = source.newline, source.lines
    offset = source.start_of(line)
    before = source.text[:offset].splitlines(keepends=True)[-1:]
    ends = newline if before and before[0].strip("\r\n") == before[0] else ""
    gaps = Counter(_blanks_at_end(lines[: section.line - 1]) for section in siblings[1:])
    gap = max(gaps, key=lambda blanks: gaps[blanks], default=0) or 1
    parted = newline * max(gap - _blanks_at_end(source.text[:offset].splitlines()), 0) if before else ""
    heading = f"{'#' * level} {escape_inside(one_line(name).strip())}{newline}"
    follows = newline * gap if line < len(lines) and lines[line].strip() else ""
    if rule := _rule_between(siblings, lines):
        if follows and not _RULE.fullmatch(lines[line].strip()):  # before another heading
            follows = f"{newline}{rule}{newline}{follows}"
        else:
            parted += f"{rule}{newline}{newline}"
    text = f"{source.text[:offset]}{ends}{parted}{heading}{follows}{source.text[offset:]}"
    after = read(Source(text, path), taxonomy.vocabulary)
    at = after.source.line_at(offset + len(ends) + len(parted)) + 1
    index = next((number for number, section in enumerate(after.sections) if section.line == at), None)
    if index is None or len(after.sections) != len(document.sections) + 1:
        raise ConfigError(f"there is no place for the heading '{name}': add it by hand", path)
    if edits := _contents_line(after, after.sections[index].line, taxonomy):
        after = read(Source(apply_edits(after.source.text, edits), path), taxonomy.vocabulary)
    verify(document, after)
    return after, index


def _contents_line(document: Document, line: int, taxonomy: Taxonomy) -> Sequence[Edit]:
    """Return the edits that add the heading on a line to the table of contents, if there is one and shows how."""
    contents = contents_of(document, build_context({}, taxonomy))
    starts = [heading.span.start for heading in contents.headings] if contents is not None else []
    own = [index for index, start in enumerate(starts) if document.source.line_at(start) + 1 == line]
    if contents is None or not own:
        return ()
    edits, _ = new_lines(Writer(document.source, contents), own).get(own[0], ((), None))
    return [edit._replace(text=edit.text.replace("\n", document.source.newline)) for edit in edits]


def _in_contents(sections: list[Section], document: Document, taxonomy: Taxonomy) -> list[Section]:
    """Return the sections that the table of contents lists: `Congratulations` stays behind them."""
    contents = contents_of(document, build_context({}, taxonomy))
    items = [item for part in contents.parts for item in part.items] if contents is not None else []
    headings = contents.headings if contents is not None else ()
    listed = {
        document.source.line_at(headings[item.heading].span.start) + 1
        for item in items
        if item.heading is not None and item.heading >= 0
    }
    return [section for section in sections if section.line in listed]


def _siblings(document: Document, above: int | None) -> list[Section]:
    """Return the headings beside which the new section stands: those below a section, or the topmost that part the entries."""
    held = Counter(index for entry in document.entries for index in document.above(entry.section))
    headings = [
        (index, section)
        for index, section in enumerate(document.sections)
        if section.kind in _HEADINGS and (above is not None or index in held)
    ]
    if above is not None:
        return [section for _, section in headings if section.parent == above]
    beside = [(index, section) for index, section in headings if section.parent is None]
    while beside:
        largest = max(beside, key=lambda each: held[each[0]])[0]
        below = [each for each in headings if each[1].parent == largest]
        holds_most = held[largest] >= _MOST * len(document.entries)
        among_titles = beside[0][0] == 0 and beside[0][1].level == 1  # the page's own, and more of its level
        if not below or (len(beside) > 1 and not among_titles and not (holds_most and len(below) > 1)):
            break
        beside = below
    return [section for _, section in beside]


def _rule_between(sections: Sequence[Section], lines: Sequence[str]) -> str:
    """Return the line above each section but the first, if it is one across the page: `---`."""
    above = [
        next((line.strip() for line in lines[section.line - 2 :: -1] if line.strip()), "")
        for section in sections[1:]
    ]
    return above[-1] if len(above) > 1 and all(map(_RULE.fullmatch, above)) else ""


def _blanks_at_end(lines: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda line: not line.strip(), reversed(lines)))


def _line_for(document: Document, name: str, siblings: list[Section], above: int | None) -> int:
    """Return the line, from 0, above which the new heading stands."""
    dated = [(section.year, section) for section in siblings if section.year is not None]
    year = find_year(name)
    if year is not None and len(dated) > 1 and _are_sorted(years := [year for year, _ in dated]):
        siblings = [section for _, section in dated]
        is_later = [other > year.year if years[0] <= years[-1] else other < year.year for other in years]
    else:
        titles = [fold(section.title) for section in siblings]
        is_sorted = len(titles) >= _FEWEST_SORTED and titles == sorted(titles)
        is_later = [is_sorted and title > fold(name) for title in titles]
    if any(is_later):
        return _first_line(document, siblings[is_later.index(True)])
    last = siblings[-1] if siblings else document.sections[above] if above is not None else None
    if last is None:
        return len(document.source.lines)
    following = (
        _first_line(document, section)
        for section in document.sections
        if section.line > last.line and section.level <= last.level
    )
    return end_of_section(document, last.line, min(following, default=len(document.source.lines)))


def _are_sorted(years: Sequence[int]) -> bool:
    return sorted(years) in ([*years], [*reversed(years)])


def _first_line(document: Document, section: Section) -> int:
    """Return the line, from 0, of a section's heading; in HTML, its title may stand on a later one."""
    blocks = (block.first for block in document.tree.blocks if block.start <= section.span.start < block.end)
    return next(blocks, section.line - 1)


# Several papers may have one such link.
_SHARED = ("code", "project", "dataset", "blog", "video", "demo", "model")


class Undecided(NamedTuple):
    """An entry whose section is not sure, why, and the likeliest sections with their shares, the best first."""

    entry: ImportedEntry
    reason: str
    sections: tuple[str, ...] = ()


class IntoResult(NamedTuple):
    """A list before and after, and what became of each entry."""

    source: Source
    text: str
    inserted: list[Inserted]
    listed: list[tuple[ImportedEntry, str]]  # what is listed already, and where
    left_out: list[tuple[ImportedEntry, str]]
    undecided: list[Undecided]
    generated: Generated | None  # what the list is generated from, if it is


def insert_into(
    path: str,
    entries: Sequence[ImportedEntry],
    section: str | None = None,
    new_section: str | None = None,
    chosen: Mapping[int, str] = MappingProxyType({}),
    *,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
) -> IntoResult:
    """Return a list with the entries that its project lacks, in `section`, a new one below it, or each in that which is surely its own."""
    projects, errors = find_inputs([path], config, isolated, {})
    if errors:
        raise errors[0]
    project = projects[0]
    subjects = load(taxonomy or project.config.taxonomy)
    imported = {path, *(entry["path"] for entry in entries)}  # what is imported does not list itself
    others = [other for other in (*project.reported, *project.others) if other not in imported]
    loaded = load_files([path], others, subjects.vocabulary)
    if path in loaded.errors:
        raise loaded.errors[path]
    document = loaded.documents[path]
    if document.kind is not FileKind.LIST:
        raise ConfigError(f"it is a {document.kind.value}, not a list: name another file", path)
    facts = [each for name, each in loaded.facts.items() if not are_one_list(name, path, loaded.facts)]
    listed = _listed_by_title(document, subjects.vocabulary) | _listed_by_key(facts)
    new: list[ImportedEntry] = []
    again: list[tuple[ImportedEntry, str]] = []
    left_out: list[tuple[ImportedEntry, str]] = []
    for entry in entries:
        keys = list(_identity_keys(entry))
        where = next((listed[key] for key in keys if key in listed), None)
        if where is not None:
            again.append((entry, where))
        elif entry["title"] is None:
            left_out.append((entry, "its title is not known"))
        else:
            new.append(entry)
            place = f"{entry['path']}:{entry['line']}"
            listed.update((key, place) for key in keys if key not in listed)
    source = document.source
    if new_section is not None and new:
        document, index = with_new_section(document, new_section, section, subjects)
        listed_sections = _in_contents([*document.sections], document, subjects)
        is_omitted = listed_sections and document.sections[index] not in listed_sections
        why = (
            f"it is the new section{', which the table of contents does not list yet' if is_omitted else ''}"
        )
        placed, undecided = [(entry, Target(index, why)) for entry in new], list[Undecided]()
    else:
        placed, undecided = _with_sections(document, new, section, chosen, subjects)
    done = insert_entries(document, placed, subjects)
    text = done.text if done.inserted else source.text
    generated = build_context(loaded.facts, subjects).generated(path)
    return IntoResult(source, text, done.inserted, again, [*left_out, *done.left_out], undecided, generated)


def _with_sections(
    document: Document,
    entries: Sequence[ImportedEntry],
    section: str | None,
    chosen: Mapping[int, str],
    taxonomy: Taxonomy,
) -> tuple[list[tuple[ImportedEntry, Target]], list[Undecided]]:
    """Return the entries with their sections, and those whose section is not sure."""
    finder = SectionFinder(document, taxonomy)
    if section is not None:
        return [(entry, finder.named(entry, section)) for entry in entries], []
    placed: list[tuple[ImportedEntry, Target]] = []
    undecided: list[Undecided] = []
    unknown: list[tuple[ImportedEntry, str | None]] = []
    for entry in entries:
        if (name := chosen.get(entry["line"])) is not None:
            try:
                placed.append((entry, finder.named(entry, name)))
            except ConfigError as error:
                unknown.append((entry, error.message))
        elif (target := finder.find(entry)) is not None:
            placed.append((entry, target))
        else:
            unknown.append((entry, None))
    found = find_by_words(document, [entry for entry, _ in unknown], taxonomy) if unknown else []
    names = [_IN_COMMENTS.sub("/", name) for name in document.short_paths()] if unknown else []
    for (entry, reason), places in zip(unknown, found, strict=True):
        judged = by_words(document, entry, places) if reason is None else reason
        if isinstance(judged, Target):
            placed.append((entry, judged))
        else:
            likely = (f"{names[place.section]} ({100 * place.share:.0f} %)" for place in places)
            undecided.append(Undecided(entry, judged, tuple(likely)))
    return placed, undecided


# --------------------------------------------------------------------------------------------- what is listed already
def _listed_by_key(files: Iterable[Facts]) -> dict[str, str]:
    """Return where each identity key of some files is listed first: `README.md:12`."""
    listed: dict[str, str] = {}
    for file in files:
        for key, listing in file.identities:
            listed.setdefault(key, listing.where)
    return listed


def _listed_by_title(document: Document, vocabulary: Vocabulary) -> dict[str, str]:
    """Return where a list has papers by their title and year, by a page that is theirs alone, what is called like one by any of its links, and what has no title by these alone.

    Short titles are no identity by themselves, and no code is that of one paper alone.
    """
    listed: dict[str, str] = {}
    pages = [
        {fold_url(link.link.url) for link in entry.links if is_paper_url(link.link.url, vocabulary)}
        for entry in document.entries
    ]
    held = Counter(chain.from_iterable(pages))
    for entry, own in zip(document.entries, pages, strict=True):
        _, year = citation_and_year(entry, document)
        keys = [_titled(entry.title.value, year)] if year is not None else []
        keys += [_called(entry.title.value, link.link.url) for link in entry.links]
        keys += [f"link:{fold_url(link.link.url)}" for link in entry.links]
        keys += [f"url:{page}" for page in own if held[page] == 1]
        for key in keys:
            listed.setdefault(key, f"{document.source.path}:{entry.line}")
    return listed


def _called(title: str, url: str) -> str:
    return f"url:{fold_url(url)} {fold_title(title).partition(' ')[0]}"


def _titled(title: str, year: int) -> str:
    return f"titled:{fold_title(title)} {year}"


def _identity_keys(entry: ImportedEntry) -> Iterator[str]:
    """Yield the keys by which an imported entry is recognised in a list."""
    known = entry["identifiers"]
    yield from (f"{kind}:{known[kind].lower()}" for kind in PAPER_IDS if known.get(kind))
    if entry["title"] and (key := title_key(fold_title(entry["title"]))):
        yield key
    if entry["title"] and entry["year"] is not None:
        yield _titled(entry["title"], entry["year"])
    is_paper = bool(entry["venue_text"] or entry["authors"] or any(known.get(kind) for kind in PAPER_IDS))
    for link in entry["links"]:
        if link["url"] and "://" in link["url"] and not (is_paper and link["role"] in _SHARED):
            yield f"url:{fold_url(link['url'])}"
            yield _called(entry["title"], link["url"]) if entry["title"] else f"link:{fold_url(link['url'])}"
