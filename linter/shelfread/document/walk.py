"""The walk over a document's blocks that finds its sections and entries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document import non_entries
from shelfread.document.bare_titles import are_titles, leaves, lists_titles, states_year
from shelfread.document.entry.classic import build_classic, further_links, names_speakers
from shelfread.document.entry.entry_fields import Setting, clean_field
from shelfread.document.entry.paper import build_paper, is_field_line, is_paper
from shelfread.document.entry.sub_lines import SubLine, collect_fields, parse_sub_line
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.heading_records import Record, find_records
from shelfread.document.heading_titles import find_heading_items, find_titles
from shelfread.document.identity import is_paper_url
from shelfread.document.item_reader import (
    ItemReader,
    ListItem,
    first_inlines,
    is_label_item,
    leads_below,
    may_be_paper,
)
from shelfread.document.model import Entry, NonEntry, sections_above
from shelfread.document.nested_items import NestedItems
from shelfread.document.non_entries import (
    NO_DOUBT,
    Doubt,
    doubt_of,
    is_contents_list,
    is_internal_url,
    leads_elsewhere,
    links_internally,
    non_entry,
    why_no_entries,
)
from shelfread.document.outline import Outline, bold_title, inlines_span, read_html_headings, title_of
from shelfread.document.paragraph_items import Run, find_runs, find_runs_of_entries, references
from shelfread.document.paragraphs import lead_in, read_paragraph, sub_block
from shelfread.document.plain_text import TextRange, render_plain_text
from shelfread.document.recognizers.organisations import find_organisations, names_organisation
from shelfread.document.recognizers.people import are_authors, are_named, find_people, is_list_of_people
from shelfread.document.recognizers.venues import is_dated_venue, to_citation
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text, all_links
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from shelfread.document.table_rows import TableReader

# So many rows of a table, and this share, link to papers where the title above says that there are no
# entries.
_MIN_PAPERS, _MOST_PAPERS = 5, 0.6
# So many lines of a list without links, and half of them, are a name and who made it: books.
_MIN_CREDITED = 3
# So large a share of the names in bold before a colon are linked in lists whose other sections only name things.
_LEAST_LINKED = 0.3
# So many items of a list without links, and so large a share, are names in bold and texts.
_MIN_NAMED, _MOST_NAMED = 4, 0.8
# So many items of a list may be rows of a table: they have several lines, or separators.
_MOST_PARTED = 0.8
_PARTED = lazy(r"\n[^\S\n]*\S|;\s|\s(?:[|/·•–—-]|--)\s|<br")


class DocumentWalk:
    """One walk over the blocks of a document. `outline` has the sections, `entries` the entries so far."""

    def __init__(
        self, source: Source, blocks: tuple[Block, ...], links: Sequence[Link], vocabulary: Vocabulary
    ) -> None:
        """`blocks` are those of the document, `links` those of all of them, in order."""
        self.source, self.links, self.vocabulary = source, links, vocabulary
        self._link_starts = [link.start for link in links]
        self.outline = Outline(source)
        self.entries: list[Entry] = []
        self.non_entries: list[NonEntry] = []
        # The lists whose items may be rows of a table, with their sections.
        self.parted: list[tuple[int | None, Sequence[Block]]] = []
        self.title_lines: dict[int, TitleLine] = {}  # of the papers, by where the block begins
        self._names_speakers = False  # whether the list that is read links to talks
        runs = find_runs(blocks, source, vocabulary)
        self.items = ItemReader(vocabulary, (*blocks, *(run.items for run in runs.values())))
        self._nested = NestedItems(self.items)
        self._blocks = blocks
        self._runs = find_runs_of_entries(runs, self.items, vocabulary)
        self._run_starts = sorted(self._runs)
        entries = {
            item.start
            for run in self._runs.values()
            for item in run.items.blocks
            if (line := self.items.read(item).title_line) and not are_authors(line.title_text)
        }
        self._title_headings = find_titles(
            blocks, find_heading_items(blocks, source, vocabulary), entries, self._nested
        )

    @cached_property
    def _headings(self) -> list[Block]:
        return [block for block in self._blocks if block.kind == "heading"]

    @cached_property
    def _listed(self) -> list[Block]:
        """The items of the document's lists, without nested ones."""
        return [item for block in self._blocks if block.kind == "list" for item in block.blocks]

    @cached_property
    def _titles(self) -> frozenset[str]:
        """The titles of all headings, folded."""
        return frozenset(fold(title_of(block.inlines)) for block in self._headings)

    @cached_property
    def _tables(self) -> TableReader:
        """What reads tables, imported for the lists that have some."""
        from shelfread.document.table_rows import TableReader

        return TableReader(self._blocks)

    @cached_property
    def lists_titles(self) -> bool:
        """Whether the document lists titles without links, which are papers."""
        links = sum(not is_internal_url(link.url) for link in self.links)
        return lists_titles(self._blocks, links, self.vocabulary)

    @cached_property
    def _lists_links(self) -> bool:
        """Whether most items of the document begin with a link, but for names in bold that have none."""
        lines = [line for item in self._listed if (line := first_inlines(item)) and not _is_bold_alone(line)]
        return 2 * sum(isinstance(line[0], Link) for line in lines) > len(lines)

    @cached_property
    def _names_listed_from(self) -> float:
        """Where enough of the names in bold before a colon and a text have been linked to what they name: introductions stand above."""
        labels = [item for item in self._listed if non_entries.is_bold_label(self.items.read(item).plain)]
        linked = [item.start for item in labels if non_entries.links_label(self.items.read(item).plain)]
        least = max(_MIN_CREDITED, _LEAST_LINKED * len(labels))
        return linked[_MIN_CREDITED - 1] if len(linked) >= least else inf

    @cached_property
    def _lists_credited(self) -> bool:
        """Whether most items of the document are names and who made them."""
        items = self._listed
        if 2 * len(self.links) > len(items):
            return False  # most lists
        return _are_credited([self.items.read(item).title_line for item in items], len(items))

    def titles(self) -> frozenset[str]:
        """Return the titles of the document's headings, folded; most lists need none."""
        return self._titles

    # ------------------------------------------------------------------------------ blocks
    def read_blocks(self, blocks: tuple[Block, ...]) -> None:
        """Read blocks in order."""
        in_details = False  # of a summary that is an entry: what follows belongs to the entry
        legends = frozenset[int]()
        if any(block.kind == "table" for block in blocks):
            from shelfread.document.legends import find_legends

            legends = find_legends(blocks)
        records = {
            start: record
            for start, record in find_records(blocks, self.vocabulary).items()
            if record.is_linked or not self._lists_entries(start, record)
        }
        index = entry_end = 0  # blocks up to `entry_end` belong to the entry of a heading
        while index < len(blocks):
            block = blocks[index]
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            may_be_title = index >= entry_end and self.outline.doubt.reason in ("", non_entries.CONTENTS)
            if index in self._title_headings and may_be_title:
                entry_end = index = self.read_title_heading(blocks, index)
                continue
            if index in records and may_be_title and self.read_record(records[index], blocks):
                entry_end, index = records[index].end, index + 1
                continue
            if index < entry_end and block.kind not in ("heading", "html"):
                self.skip_part(block)
                index += 1
                continue
            run = None if in_details else self._runs.get(index)
            if run and (
                self._are_dated(run.items.blocks)
                or not self.why_no_entries_among(run.items.blocks, self.outline.doubt)
            ):
                self.read_list(run.items)
                self.skip_others(blocks[index : index + run.length], run)
                index += run.length
                continue
            if index in legends:
                self.skip(block, non_entries.LEGEND)
            elif block.kind == "html":
                ends = any(isinstance(node, Html) and node.tag == "/details" for node in block.inlines)
                in_details = self.read_html(block) or (in_details and not ends)
            elif block.kind == "heading":
                in_details = False
                self.open_heading(block)
            elif in_details:
                self.add_details(block)
                self.skip_part(block)
            elif block.kind == "list":
                reason = self.why_no_entries(block, lead_in(blocks[index - 1]) if index else "")
                if reason is None:
                    self.read_list(block)
                else:
                    self.skip(block, reason)
            elif block.kind == "paragraph":
                self.read_paragraph(block, following)
            elif block.kind == "table":
                self.read_table(block)
            elif block.kind == "quote" and any(map(leads_elsewhere, all_links((block,)))):
                self.skip(block, non_entries.QUOTE)
            index += 1

    def _is_title(self, heading: Block) -> bool:
        """Return whether a heading is that of a list: the first one, above all others, and below them something is listed."""
        if heading is not self._headings[0]:
            return False
        others = self._headings[1:]
        return all(other.level > heading.level for other in others) and any(
            block.kind in ("list", "table") and any(map(leads_elsewhere, all_links((block,))))
            for block in self._blocks[self._blocks.index(others[0]) if others else len(self._blocks) :]
        )

    def read_title_heading(self, blocks: tuple[Block, ...], index: int) -> int:
        """Read the paper whose title is a heading. Return the index of the first block behind what stands below it."""
        item, title = self._title_headings[index]
        self.outline.close_level(blocks[index].level)
        if item.title_line is not None and title is not None:
            self.add_named_paper(item.title_line, title, item.block, "heading-title", item.sub_lines[1:])
        elif item.title_line is not None:
            self.add_paper(item.title_line, item.block, "heading-title", item.sub_lines)
            self.parted.append((self.outline.current, (item.block,)))
        while index < len(blocks) and blocks[index].start < item.block.end:
            index += 1
        return index

    def _lists_entries(self, start: int, record: Record) -> bool:
        """Return whether several paragraphs below a heading are entries themselves."""
        below = bisect_left(self._run_starts, start)
        starts = self._run_starts[below : bisect_left(self._run_starts, record.end)]
        return sum(len(self._runs[index].items.blocks) for index in starts) > 1

    def read_record(self, record: Record, blocks: tuple[Block, ...]) -> bool:
        """Read the entry of a heading, and open its section if more stands below. Return whether it is one."""
        from shelfread.document.heading_entries import read_record

        entry = read_record(record, self.setting("heading-title"))
        if entry is None:
            return False
        heading = record.heading
        self.outline.close_level(heading.level)
        self.entries.append(entry._replace(section=self.outline.current))
        last = record.body[-1].kind if record.body else ""
        below = blocks[record.end].kind if record.end < len(blocks) else "heading"
        if "table" in (last, below) and below != "heading":
            self.open_heading(heading)
        return True

    def open_heading(self, heading: Block) -> None:
        """Open the section of a heading."""
        span = inlines_span(heading.inlines, heading)
        self.outline.open_section(title_of(heading.inlines), span, "heading", heading.level)

    def read_html(self, block: Block) -> bool:
        """Read an HTML block. Return whether it leaves the `<details>` of an entry open."""
        summaries, is_open = read_html_headings(block, self.outline)
        links = list(all_links((block,)))
        if self.outline.doubt is not NO_DOUBT:
            if links:
                self.skip(block, self.outline.doubt.reason)
            return False
        from shelfread.document.html_entries import find_html_items, read_html_table

        count = len(self.entries) + len(self.non_entries)
        self.add(read_html_table(block, self.setting("html-table")))
        items = find_html_items(block, self.source, self.vocabulary)
        if items is not None and not (summaries or is_contents_list(links)):
            first = len(self.entries)
            self.read_list(items)
            self.entries[first:] = [entry._replace(dialect="html-list") for entry in self.entries[first:]]
        for inlines, folded in summaries:
            title_line = read_title_line(render_plain_text(inlines), self.vocabulary, named=True)
            start, end = inlines_span(inlines, block)
            first, last = self.source.line_at(start), self.source.line_at(end) + 1
            if title_line.title is not None:
                part = block._replace(start=start, end=end, first=first, last=last, inlines=inlines)
                add = self.add_paper if is_paper(title_line, [], self.vocabulary) else self.add_classic
                add(title_line, part, "details")
                if folded:
                    self.add_details(sub_block(folded, block, self.source))
        if len(self.entries) + len(self.non_entries) == count and any(map(leads_elsewhere, links)):
            self.skip(block, non_entries.PROSE)
        return is_open

    def add_details(self, block: Block) -> None:
        """Add the links and the first words of a block to the entry in whose `<details>` it is."""
        items = block.blocks if block.kind == "list" else (block,)
        lines = [line for item in items if (line := parse_sub_line(item, self.vocabulary)) is not None]
        leading = (line.plain for line in lines if non_entries.begins_with_link(line.plain))
        links = tuple(link for plain in leading for link in further_links(plain, (), self.vocabulary)[:1])
        entry = self.entries[-1]
        said = entry.description or collect_fields(lines[:1], self.source.text, self.vocabulary).text
        self.entries[-1] = entry._replace(links=entry.links + links, description=said, end_line=block.last)

    def setting(self, dialect: str) -> Setting:
        """Return where an entry is read now."""
        current, habits = self.outline.current, self.items.habits
        return Setting(self.source, self.vocabulary, current, dialect, self._names_speakers, habits)

    def add_paper(
        self,
        line: TitleLine,
        block: Block,
        dialect: str = "",
        sub_lines: Sequence[SubLine] = (),
        end_line: int = 0,
    ) -> None:
        """Add an entry of the kind paper to the current section."""
        self.title_lines[block.start] = line
        setting = self.setting(
            dialect or ("paragraph" if block.kind == "paragraph" else _paper_dialect(line))
        )
        self.entries.append(build_paper(line, list(sub_lines), block, setting, end_line))

    def add_classic(self, line: TitleLine, block: Block, dialect: str) -> None:
        """Add an entry of the kind classic to the current section."""
        self.entries.append(build_classic(line, block, self.setting(dialect)))

    def add(self, items: Iterable[Entry | NonEntry]) -> None:
        """Add what was read of a table or an HTML block."""
        for item in items:
            if isinstance(item, Entry):
                self.entries.append(item)
            else:
                self.non_entries.append(item)

    def skip(self, block: Block, reason: str) -> None:
        """Note that a block has no entry, and why."""
        self.non_entries.append(non_entry(block, reason))

    def skip_part(self, block: Block) -> None:
        """Note that a block is a part of the entry above, unless it is that entry's description."""
        said = self.entries[-1].description if self.entries else None
        if said is None or not block.start <= said.span.start < block.end:
            self.skip(block, non_entries.PART)

    def read_paragraph(self, block: Block, following: Block | None) -> None:
        """Open a section if a paragraph is bold words only, else read the papers in it."""
        title = bold_title(block)
        kind = following.kind if following is not None else ""
        doubt = self.outline.doubt
        if title is not None and kind in ("list", "table", "paragraph", "html"):
            self.outline.open_bold(title, inlines_span(block.inlines, block))
        elif doubt is not NO_DOUBT:
            if not all(isinstance(node, Text | Break) for node in block.inlines):
                self.skip(block, doubt.reason)
        else:
            count = len(self.entries)
            papers = [*read_paragraph(block, self.source, self.vocabulary)]
            is_below_title = (
                self.outline.current == 0 and self._headings and self._is_title(self._headings[0])
            )
            if papers and is_below_title:
                self.skip(block, non_entries.ABOUT_LIST)  # the list's own: `Paper Link: [A Survey](u)`
                return
            for title_line, sub_lines, part in papers:
                self.add_paper(title_line, part, "paragraph", sub_lines)
            if len(self.entries) == count and any(map(leads_elsewhere, all_links((block,)))):
                self.skip(block, non_entries.PROSE)

    def skip_others(self, blocks: Iterable[Block], run: Run) -> None:
        """Note the paragraphs among entries that are none."""
        starts = {part.start for item in run.items.blocks for part in (item, *item.blocks)}
        for block in blocks:
            is_entry = block.start in starts or block.kind != "paragraph"
            if not is_entry and any(map(leads_elsewhere, all_links((block,)))):
                self.skip(block, non_entries.PROSE)

    def read_table(self, block: Block) -> None:
        """Read the entries of a Markdown table."""
        doubt, reason = self.outline.doubt, None
        if doubt is not NO_DOUBT and not self._lists_papers(block):
            cells = (
                next((cell for cell in row.blocks if any(all_links((cell,)))), None)
                for row in block.blocks[1:]
            )
            reason = why_no_entries(
                [render_plain_text(cell.inlines if cell else ()) for cell in cells], 0, doubt
            )
        if reason is not None:
            self.skip(block, reason)
        else:
            self.add(self._tables.read(block, self.setting("table-row")))

    def _lists_papers(self, table: Block) -> bool:
        """Return whether most rows of a table link to papers: a list may end with one below `## License`."""
        rows = table.blocks[1:]
        papers = sum(
            any(is_paper_url(link.url, self.vocabulary) for link in all_links((row,))) for row in rows
        )
        return papers >= max(_MIN_PAPERS, _MOST_PAPERS * len(rows))

    # -------------------------------------------------------------------------------- lists
    def why_no_entries(self, block: Block, lead_in: str) -> str | None:
        """Return why a list has no entries, or None if it may have some.

        `lead_in` is the text of a paragraph right above it that ends with a colon.
        """
        first_link = bisect_left(self._link_starts, block.start)
        links = self.links[first_link : bisect_left(self._link_starts, block.end)]
        if is_contents_list(links, self.titles):
            return None if self._lists_notes(block, links) else non_entries.CONTENTS
        doubt = min(self.outline.doubt, doubt_of(lead_in), key=lambda doubt: doubt.weight)
        reason = self.why_no_entries_among(block.blocks if doubt is NO_DOUBT else leaves(block), doubt)
        return None if reason and doubt is NO_DOUBT and self._are_labels(block.blocks) else reason

    def _lists_notes(self, block: Block, links: Sequence[Link]) -> bool:
        """Return whether a list of links to the list's own pages is one of papers: `KDD 2014 [Tidy Shelves](notes/ts.md)`."""
        if any(link.url[:1] == "#" for link in links):
            return False
        lines = [self.items.read(item).title_line for item in block.blocks]
        linked = [line for line in lines if line is not None and line.title_link is not None]
        return self.lists_titles or 2 * sum(map(_is_cited, linked)) > len(linked)

    def why_no_entries_among(self, blocks: Iterable[Block], doubt: Doubt) -> str | None:
        """Return why items of a list, or paragraphs, are no entries, or None if they may be."""
        items = [self.items.read(item) for item in blocks]
        return why_no_entries([item.plain for item in items], sum(item.is_paper for item in items), doubt)

    def _are_dated(self, blocks: Iterable[Block]) -> bool:
        """Return whether all lines in a section of entries have a venue and its year: they are no prose."""
        lines = [self.items.read(block).title_line for block in blocks]
        dated = (line is not None and any(mention.year for mention in line.mentions) for line in lines)
        return self.outline.doubt is NO_DOUBT and all(dated)

    def read_list(self, block: Block) -> None:
        """Read the entries of a list. What most of its items are decides what the others are."""
        items = self._as_names([self.items.read(item) for item in block.blocks])
        are_papers = self.lists_titles or self._are_accepted(items)
        papers = len(items) if are_papers else sum(1 for item in items if item.is_paper)
        lines = [item.title_line for item in items if item.title_line is not None]
        linked = sum(item.title_link is not None or non_entries.names_link(item.plain) for item in items)
        only_addresses = block.blocks[0].kind != "paragraph"
        linked += sum(
            non_entries.is_bold_name(line, only_addresses) or non_entries.is_bold_with_repository(line)
            for line in lines
        )
        separated = sum(map(non_entries.is_name_before_link, lines))
        linked += separated if separated >= max(_MIN_CREDITED, 0.75 * len(items)) else 0
        are_credited = linked == 0 and (_are_credited(lines, len(items)) or self._lists_credited)
        are_credited = are_credited or (linked == 0 and self._are_labels(block.blocks))
        first = len(self.entries)
        above, self._names_speakers = self._names_speakers, names_speakers(lines)
        for item in items:
            count = len(self.entries)
            self.read_item(item, papers >= 0.5 * len(items), linked >= 0.5 * len(items), are_credited)
            entry = self.entries[-1] if len(self.entries) == count > first else None
            if entry is not None and entry.kind == "paper" and is_label_item(item):
                # `[Tidy Shelves](u)`, and below it `[Website](v)`
                links = further_links(item.plain, (), self.vocabulary)
                self.entries[-1] = entry._replace(links=entry.links + links, end_line=item.block.last)
        self._names_speakers = above
        kinds = [entry.kind for entry in self.entries[first:]]
        if 2 * kinds.count("paper") >= len(kinds) and self._may_be_rows(block.blocks):
            self.parted.append((self.outline.current, block.blocks))

    def _are_labels(self, blocks: Sequence[Block]) -> bool:
        """Return whether all items of a section are names in bold and texts, as those of others are whose names are linked."""
        lines = [self.items.read(block).plain for block in blocks]
        if not self.outline.current or any(plain.links for plain in lines):
            return False
        return all(map(non_entries.is_bold_label, lines)) and blocks[0].start > self._names_listed_from

    def _as_names(self, items: list[ListItem]) -> list[ListItem]:
        """Return items without links as names and what is said of them if nearly all are that, and few surely are papers.

        A text may cite a paper: `**Oak** — Sorts books (Stone et al. 1998)`.
        """
        bold = [item for item in items if (first := first_inlines(item.block)) and _is_bold_alone(first)]
        least = max(_MIN_NAMED, _MOST_NAMED * len(items))
        if len(bold) < least or 2 * sum(item.is_paper for item in bold) > len(bold):
            return items
        lines = {item.block.start: read_title_line(item.plain, self.vocabulary) for item in bold}
        named = {start: line for start, line in lines.items() if non_entries.is_name_with_text(line)}
        if len(named) < least:
            return items
        return [
            item._replace(title_line=named[start], is_paper=False)
            if (start := item.block.start) in named
            else item
            for item in items
        ]

    def _are_accepted(self, items: Sequence[ListItem]) -> bool:
        """Return whether items are titles without links: below a heading that is a venue and its year, or in paragraphs."""
        if any(item.plain.links or item.lists for item in items):
            return False
        if items[0].block.kind == "paragraph":
            are_references = len(references(items)) == len(items)
            return are_references or all(states_year(item.plain.text) for item in items)
        if len(items) < 2:
            return False
        sections = self.outline.sections
        above = (sections[index].title for index in sections_above(sections, self.outline.current))
        is_below_venue = any(is_dated_venue(title, self.vocabulary) for title in above)
        return is_below_venue and are_titles([item.plain.text for item in items])

    def _may_be_rows(self, items: Sequence[Block]) -> bool:
        """Return whether most items of a list have several lines or parts."""
        text = self.source.text
        parted = sum(_PARTED.search(text, item.start, item.end) is not None for item in items)
        return parted >= _MOST_PARTED * len(items)

    def read_item(
        self, item: ListItem, mostly_papers: bool, mostly_linked: bool, mostly_credited: bool
    ) -> None:
        """Read an item: an entry, the heading of the items nested in it, or neither."""
        line = item.title_line
        if line is not None and line.title is None and mostly_linked and not mostly_papers:
            # Among linked names, `GitLab` is a name.
            line = read_title_line(item.plain, self.vocabulary, named=True)
        is_title = line is not None and (line.shape == "linked" or any(map(str.isalnum, line.title_text)))
        if line is None or not is_title or is_field_line(line):
            self.read_nested(item)
        elif item.block.kind == "item" and self._nested.is_group_heading(item):
            inlines = first_inlines(item.block)
            span = inlines_span(inlines, item.block.blocks[0])
            section = self.outline.open_nested(title_of(inlines), span, "item")
            self.read_nested(item)
            self.outline.close(section)
        elif not self.lists_titles and (reason := non_entries.why_no_title(line, self.titles)) is not None:
            self.skip(item.block, reason)
        elif (below := self._nested.title_below(item)) is not None and below.title_line is not None:
            others = [one for one in item.sub_lines if one.block.start != below.block.start]
            self.add_named_paper(line, below.title_line, item.block, sub_lines=[*others, *below.sub_lines])
        elif item.is_paper and len(line.title_text.split()) <= 3 and non_entries.is_sentence(line):
            self.skip(item.block, non_entries.PROSE)
        elif (item.is_paper or (mostly_papers and may_be_paper(item)) or self._nested.has_row(item)) and (
            self.lists_titles or not links_internally(line)
        ):
            self.add_paper(line, item.block, sub_lines=item.sub_lines)
            self.read_further_papers(item)
        else:
            link = line.title_link
            if link is not None and line.shape == "linked" and link.link.url.startswith("mailto:"):
                self.skip(item.block, non_entries.CONTACT)
            elif link is not None and line.shape == "linked" and is_internal_url(link.link.url):
                self.skip(item.block, non_entries.INTERNAL)
            elif link is not None and non_entries.shares_list(link.link.url):
                self.skip(item.block, non_entries.ABOUT_LIST)
            elif link is not None and non_entries.is_venue_index(line, self.vocabulary):
                self.skip(item.block, non_entries.VENUES)
            elif (
                (is_led := link is not None and line.shape == "linked")
                or (is_led := self._nested.has_parts(item) or leads_below(item))
                or self._names_thing(line, mostly_linked, mostly_credited)
            ):
                parts = self._nested.find_parts(item) if item.lists else []
                links = tuple(
                    link for part in parts for link in further_links(part.plain, (), self.vocabulary)
                )
                lines = self._nested.field_lines(item, parts) if item.sub_lines else []
                fields = (
                    collect_fields(lines, self.source.text, self.vocabulary, of_paper=False)
                    if lines
                    else None
                )
                is_paragraph = is_led and item.block.kind == "paragraph"
                dialect = "paragraph" if is_paragraph else "classic" if is_led else "plain-name"
                self.entries.append(build_classic(line, item.block, self.setting(dialect), links, fields))
                taken = [*(part.block for part in parts), *(field.block for field in lines)]
                self.read_nested(item, {block.start for block in taken})
                return
            self.read_nested(item)

    def _names_thing(self, line: TitleLine, mostly_linked: bool, mostly_credited: bool) -> bool:
        """Return whether a line that does not begin with a link is an entry, as the lines beside it are."""
        if line.plain.links:
            is_named = non_entries.names_link(line.plain) or non_entries.is_bold_with_repository(line)
            return (mostly_linked and (is_named or non_entries.is_bold_set_apart(line))) or (
                (mostly_linked or len(line.plain.links) > 1) and non_entries.is_name_with_links(line)
            )
        if mostly_linked or (line.shape == "strong" and self._lists_links):
            return non_entries.is_name_with_text(line)
        return mostly_credited and (line.shape == "strong" or non_entries.is_credited(line))

    def add_named_paper(
        self,
        name: TitleLine,
        line: TitleLine,
        block: Block,
        dialect: str = "",
        sub_lines: Sequence[SubLine] = (),
    ) -> None:
        """Add a paper whose name is above its title: `**TS** (KDD 2014)`, and below it `Paper: [Tidy Shelves](u)`."""
        words = (len(line.plain.text[link.start : link.end].split()) for link in line.plain.links)
        link = next((link for link, count in zip(line.plain.links, words, strict=True) if count > 2), None)
        if link is not None and line.shape != "linked":
            line = line._replace(
                title=TextRange(link.start, link.end), title_link=link, shape="linked", labels=[]
            )
        if name.labels:
            inlines = first_inlines(block)
            above = SubLine(block.blocks[0], inlines, name.plain, name.labels, "")
            sub_lines = [above, *sub_lines]
        self.add_paper(line, block, dialect, sub_lines)
        entry = self.entries[-1]
        if entry.citation is None and name.mentions:
            citation = to_citation(name.plain, name.mentions[0])
            entry = entry._replace(citation=citation, year=citation.year or entry.year)
        year = name.year.year if name.year is not None and entry.year is None else entry.year
        named = clean_field(name.plain, name.title) if name.title is not None else entry.name
        if name.title is not None and named is not None and names_organisation(named.value):
            groups = find_organisations(name.plain, *name.title)
            entry, named = entry._replace(affiliations=entry.affiliations or tuple(groups)), entry.name
        text = name.plain.text
        if named is not None and not entry.authors and (are_named(text) or is_list_of_people(text)):
            people = find_people(name.plain, text, 0, len(text))
            entry, named = entry._replace(authors=tuple(people)), entry.name
        self.entries[-1] = entry._replace(name=named, year=year)

    def read_further_papers(self, item: ListItem) -> None:
        """Read the other papers of an item: those in its paragraph, and those nested in it."""
        for inlines in item.further:
            title_line = read_title_line(render_plain_text(inlines), self.vocabulary)
            if title_line.title is not None:
                self.add_paper(title_line, sub_block(inlines, item.block, self.source))
        for nested in (nested for child in item.lists for nested in child.blocks):
            paper = self.items.read(nested)
            if self.items.is_own_paper(nested) and paper.title_line is not None:
                self.add_paper(paper.title_line, nested, sub_lines=paper.sub_lines)
            elif any(self.items.is_own_paper(below) for child in paper.lists for below in child.blocks):
                self.read_item(paper, mostly_papers=True, mostly_linked=False, mostly_credited=False)

    def read_nested(self, item: ListItem, parts: Collection[int] = ()) -> None:
        """Read the lists and tables nested in an item, without the items that begin at the offsets `parts`."""
        for child in item.block.blocks:
            if child.kind == "list" and parts:
                blocks = tuple(block for block in child.blocks if block.start not in parts)
                if blocks:
                    self.read_list(child._replace(blocks=blocks))
            elif child.kind == "list":
                self.read_list(child)
            elif child.kind == "table":
                self.read_table(child)


def _is_bold_alone(line: Sequence[Inline]) -> bool:
    """Return whether a line without links begins in bold."""
    first = line[0]
    is_bold = isinstance(first, Emphasis) and len(first.delimiter) == 2
    return is_bold and not any(isinstance(node, Link) for node in line)


def _is_cited(line: TitleLine) -> bool:
    """Return whether a dated venue stands before a linked title, its citation in the link, or nothing but people behind it."""
    link = line.title_link
    before = any(mention.year and link and mention.end <= link.start for mention in line.mentions)
    return (
        before
        or non_entries.links_citation(line)
        or are_authors(line.unread[line.after_title :].strip(" ~|:,–—-"))
    )


def _are_credited(lines: Sequence[TitleLine | None], count: int) -> bool:
    """Return whether most of so many items are names and who made them."""
    credited = sum(1 for line in lines if line is not None and non_entries.is_credited(line))
    return credited >= max(_MIN_CREDITED, 0.5 * count)


def _paper_dialect(title_line: TitleLine) -> str:
    if title_line.shape == "linked":
        return "linked-title"
    if title_line.shape == "quoted":
        return "quoted-title"
    if title_line.labels:
        return "bold-title" if title_line.shape == "strong" else "bracket-links"
    return "plain-title"
