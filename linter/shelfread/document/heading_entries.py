"""Entries whose name is a heading: what stands below says more of it, in paragraphs, and fields in lists or tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.core.diagnostics import Span
from shelfread.document.entry.classic import build_classic, further_links
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.entry.link_labels import CONSUMED, has_words
from shelfread.document.entry.paper import build_paper, is_paper
from shelfread.document.entry.sub_lines import (
    UNFILLED,
    SubLine,
    collect_fields,
    parse_sub_line,
    read_field_name,
    read_labelled_field,
)
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.heading_records import BY, NAME_LEVEL, Record, are_labelled, field_items, is_address
from shelfread.document.item_reader import first_inlines, lists_in
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.non_entries import begins_with_link, is_internal_url, leads_elsewhere
from shelfread.document.plain_text import TextRange, plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors, find_people
from shelfread.markdown.node import Block, Code, Inline, Link, Text, all_links
from shelfread.taxonomy.vocabulary import Vocabulary


def read_record(record: Record, setting: Setting) -> Entry | None:
    """Return the entry of a heading, with the links of its fields and its first paragraph as description."""
    (heading, marks), vocabulary = _without_marks(record.heading), setting.vocabulary
    line = read_title_line(render_plain_text(heading.inlines), vocabulary, named=True)
    if record.is_linked:
        line = _with_linked_title(line)
    if line.title is None:
        return None
    texts = [*_texts(record.body)]
    said = [sub_line for text in texts if (sub_line := parse_sub_line(text, vocabulary)) is not None]
    items = field_items(record.body)
    lines = [sub_line for item in items if (sub_line := parse_sub_line(item, vocabulary)) is not None]
    stated = [one for one in (*said, *lines) if _is_stated(one, record)]
    fields = collect_fields(stated, setting.source.text, vocabulary, of_paper=False)
    if fields.mentions or is_paper(line, [*said, *lines], vocabulary):
        entry = build_paper(line, [*said, *lines], heading, setting, record.last)
        return entry if entry.description is not None else _with_text(entry, texts)
    values = {one.inlines[0].start: " ".join(one.plain.text.split()) for one in stated}
    fields.notes = [
        note._replace(value=value)
        for note in fields.notes
        if not (value := values[note.span.start]).endswith((":", "："))
    ]
    others = [one for one in lines if begins_with_link(one.plain) or read_field_name(one.plain)]
    links = _links([one for one in others if one not in stated], vocabulary)
    entry = build_classic(line, heading, setting, links, fields)
    links = entry.links + _links([one for one in said if one not in stated], vocabulary)
    entry = entry._replace(links=tuple(sorted(links, key=lambda link: link.link.start)))
    if line.title_link is None:  # all of it is the name: `Shelf - The Movie`
        plain = line.plain
        end = len(line.unread.rstrip(CONSUMED + " "))  # before the marks behind it
        start, end = plain.strong[0] if heading.level == NAME_LEVEL else (line.title.start, end)
        name = Field(" ".join(plain.text[start:end].split()), plain.span(start, end))
        notes = tuple(note for note in entry.notes if note.span.start >= name.span.end)  # none of its words
        entry = entry._replace(title=name, name=name, description=fields.text, notes=notes)
    if entry.description is None or not any(map(str.isalpha, entry.description.value)):
        entry = _with_text(entry, [text for text in texts if text not in (part.block for part in stated)])
    further, below = _nested(items, vocabulary)
    notes = (*entry.notes, *marks, *below)
    return entry._replace(end_line=record.last, links=entry.links + further, notes=notes)


def _nested(
    items: Iterable[Block], vocabulary: Vocabulary
) -> tuple[tuple[LabelledLink, ...], tuple[Field, ...]]:
    """Return the links below the labels of a record, and what is said there without links: `Requirements:`, and `A wall`."""
    links: list[LabelledLink] = []
    notes: list[Field] = []
    for item in items:
        label = plain_text(first_inlines(item)).rstrip(" :：")
        nested = (below for child in lists_in(item) for below in child.blocks)
        for line in filter(None, (parse_sub_line(below, vocabulary) for below in nested)):
            links += further_links(line.plain, (), vocabulary)
            if not line.plain.links and not UNFILLED.fullmatch(line.plain.text):
                said = Field(" ".join(line.plain.text.split()), line.plain.span(0, len(line.plain.text)))
                notes.append(said._replace(value=f"{label}: {said.value}"))
    return tuple(links), tuple(notes)


def _without_marks(heading: Block) -> tuple[Block, list[Field]]:
    """Return a heading without the marks in code at its end, and those: ``Oak `🟢` `new` ``. A single word is no mark."""
    nodes = [*heading.inlines]
    marks: list[Field] = []
    while len(nodes) > 1 and (
        isinstance(last := nodes[-1], Code) or (isinstance(last, Text) and not has_words(last.value))
    ):
        nodes.pop()
        if isinstance(last, Code):
            marks.insert(0, Field(last.value, Span(last.start, last.end)))
    is_marked = len(marks) > 1 or (bool(marks) and not has_words(marks[0].value))
    return (heading._replace(inlines=tuple(nodes)), marks) if is_marked else (heading, [])


def _is_stated(line: SubLine, record: Record) -> bool:
    """Return whether a line below a heading states a field: a known one, or any that has no link below one of several records."""
    is_labelled = not (record.is_linked or line.plain.links) and read_field_name(line.plain) is not None
    return is_labelled or read_labelled_field(line.plain.text) is not None


def _links(lines: Iterable[SubLine], vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    return tuple(link for line in lines for link in further_links(line.plain, (), vocabulary))


def _with_linked_title(line: TitleLine) -> TitleLine:
    """Return the line of a linked heading: its title is its link, or part of it, `[Ada Stone. Tidy Shelves. KDD, 2020](u)`."""
    link = line.title_link or next(link for link in line.plain.links if link.end > link.start)
    title = line.title
    is_part = title is not None and link.start < title.start < title.end <= link.end
    if title is None or not is_part or line.leading_authors is None:
        title = TextRange(link.start, link.end)
    return line._replace(shape="linked", title=title, title_link=link)


def _texts(body: tuple[Block, ...]) -> Iterator[Block]:
    """Yield the paragraphs that stand first below a heading, also those of a quote, or below a picture."""
    for block in body:
        if block.kind == "quote":
            yield from _texts(block.blocks)
        elif block.kind == "paragraph":
            leads_back = any(is_internal_url(link.url) for link in all_links((block,)))
            if not (leads_back or are_labelled(block) or is_address(block)):
                yield block
        elif block.kind == "html" and _is_picture_and_text(block.inlines):
            yield block._replace(kind="paragraph")
        elif block.kind == "heading" or (
            block.kind == "html" and any(map(leads_elsewhere, all_links((block,))))
        ):
            return


def _is_picture_and_text(inlines: tuple[Inline, ...]) -> bool:
    """Return whether a text stands in the lines behind a picture: `<img src="logo.png">`."""
    if len(inlines) != 2 or not isinstance(inlines[0], Link) or not isinstance(inlines[1], Text):
        return False
    return inlines[0].image and any(map(str.isalpha, inlines[1].value))


def _with_text(entry: Entry, paragraphs: list[Block]) -> Entry:
    """Return an entry with the text of the first paragraph that is no field, `**Released**: May 2014`, and the people before it."""
    for block in paragraphs:
        plain = render_plain_text(block.inlines)
        by = BY.match(plain.text)
        if by is not None and not entry.authors and are_authors(plain.text[by.end() :]):
            entry = entry._replace(authors=tuple(find_people(plain, plain.text, by.end(), len(plain.text))))
        elif any(map(str.isalpha, plain.text)) and read_field_name(plain) is None:
            span = Span(block.inlines[0].start, block.inlines[-1].end)
            return entry._replace(description=Field(plain_text(block.inlines), span))
    return entry
