"""How a list writes its entries, learned from them: their forms, the words of labels, the names of venues and people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, Field
from shelfread.document.plain_text import SHORTCODE
from shelfread.document.recognizers.people import has_others
from shelfread.document.recognizers.venues import YEAR_AT_END, is_of_findings
from shelfread.format.house_style import HouseStyle, count_forms, find_house_style
from shelfread.format.title_parts import TitleLine, is_within, parse_label, parse_title_line
from shelfread.imports.entry_form import (
    IDENTIFIER,
    Form,
    FormPart,
    Forms,
    Line,
    bracketed,
    flat,
    is_whole,
    kinds_in,
    literal,
    literal_parts,
    literals,
    states_year,
)
from shelfread.imports.entry_pieces import find_pieces, link_field
from shelfread.imports.imported_entry import given_first
from shelfread.index.conventions import Conventions, count_observations
from shelfread.index.line_style import find_description_end, has_cjk
from shelfread.index.observations import STOPS, find_author_forms, observe
from shelfread.taxonomy.hosts import host_of
from shelfread.taxonomy.vocabulary import Vocabulary

_WORD = lazy(r"[^\W\d_]{2,}")
_FEWEST_ALIKE = (
    3  # as many entries with the same words beside their fields show that the words belong to the form
)
# What a form cannot have beside its fields: dates, badges, pictures.
_FACTS = lazy(r"\d|!\[|<(?=[A-Za-z/!])(?!/?(?:b|i|u|em|ins|strong|br|sub|sup|code|small|p)\b)")
_LINE_END = lazy(r"\r\n|\r|\n")
_MOST_LINES = 40
# An emoji or its name on GitHub, with the blanks behind it.
_SYMBOL = lazy(
    rf"({SHORTCODE}|[^\w\s!-/:-@\[-`{{-~\u00a0-\u00bf\u2010-\u206f\u3000-\u303f\uff00-\uff65])\ufe0f?\s{{0,4}}"
)
_STOPPED = lazy(
    r"[.。](?:\s\([^()]{1,40}\))?$"
)  # before what stands in brackets, too: `Sorts books. *(Open)*`
_MARKS = lazy(r"[*_`\"“”()（）\[\]【】]{0,4}\.?[*_`\"“”()（）\[\]【】]{0,4}")
_BREAK = lazy(r"(?:\s{0,9}<br ?/?>\s{0,9}){1,3}")


def learn_forms(document: Document) -> dict[str, Forms]:
    """Return the forms of a list's entries by the kind of their blocks: item, row, paragraph."""
    text = document.source.text
    read: list[tuple[Entry, Form]] = []
    for entry, following in zip_longest(document.entries, document.entries[1:]):
        end = entry.span.end
        if following is not None and entry.span.start < following.span.start:
            end = min(end, following.span.start)
        form = _row(entry, text) if entry.block.kind == "row" else _form(entry, end, text)
        if form is not None:
            read.append((entry, form))
    own = _own_symbols([form for _, form in read])
    read = [
        (entry, tuple(line._replace(parts=_without(line.parts, own)) for line in form))
        for entry, form in read
    ]
    spaced = _spacing(form for _, form in read)
    read = [
        (entry, tuple(line._replace(parts=_evened(line.parts, spaced)) for line in form))
        for entry, form in read
    ]
    usual = Counter(
        (entry.block.kind, segment) for entry, form in read for line in form for segment in _texts(line.parts)
    )
    learned: dict[str, Forms] = {}
    for entry, form in read:
        kind = entry.block.kind
        kept = [line for line in form if _is_form(line, kind, usual)]
        if kept and kept[0] is form[0]:
            lines = tuple(line._replace(parts=bracketed(line.parts)) for line in kept)
            forms = learned.setdefault(kind, Forms(Counter(), {}, {}))
            forms.whole[lines] += 1
            venue = entry.citation.venue if entry.citation is not None else None
            is_preprint = venue is not None and venue.kind == "preprint"
            forms.by_preprint.setdefault(is_preprint, Counter())[lines] += 1
            forms.by_section.setdefault(entry.section, Counter())[lines] += 1
    return learned


def _own_symbols(forms: Sequence[Form]) -> set[str]:
    """Return the emoji and shortcodes that say something of an entry alone: others have none between the same fields."""
    gaps, symbols = Counter[tuple[str, str]](), Counter[tuple[tuple[str, str], str]]()
    for line in chain.from_iterable(forms):
        for before, text, after in _texts(line.parts):
            gaps[before, after] += 1
            symbols.update({((before, after), symbol[1]) for symbol in _SYMBOL.finditer(text)})
    return {symbol for (gap, symbol), count in symbols.items() if count * _RARE < gaps[gap] * (_RARE - 1)}


def _without(parts: Sequence[FormPart], symbols: Container[str]) -> tuple[FormPart, ...]:
    def kept(text: str) -> str:
        return _SYMBOL.sub(lambda match: "" if match[1] in symbols else match[0], text)

    return tuple(
        part._replace(text=kept(part.text))
        if part.kind == "text"
        else part._replace(parts=_without(part.parts, symbols))
        for part in parts
    )


_Spacing: TypeAlias = "Mapping[tuple[str, str, str], str]"


def _spacing(forms: Iterable[Form]) -> _Spacing:
    """Return the text between two fields as most entries have it, by those and by the text without its blanks."""
    counts: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for line in chain.from_iterable(forms):
        for before, text, after in _texts(line.parts):
            counts[before, "".join(text.split()), after][text] += 1
    return {key: texts.most_common(1)[0][0] for key, texts in counts.items()}


def _evened(parts: Sequence[FormPart], spaced: _Spacing) -> tuple[FormPart, ...]:
    """Return the parts of a line with the usual blanks between two fields, if one text parts them."""
    gaps = [*_texts(parts)]
    passed = 0

    def evened(part: FormPart) -> FormPart:
        nonlocal passed
        if part.kind == "group":
            return part._replace(parts=tuple(map(evened, part.parts)))
        if part.kind != "text":
            passed += 1
            return part
        before, text, after = gaps[passed]
        is_alone = passed and part.text == text  # what a line begins with is the indentation of its section
        return part._replace(text=spaced[before, "".join(text.split()), after]) if is_alone else part

    return tuple(map(evened, parts))


def _texts(parts: Sequence[FormPart]) -> Iterator[tuple[str, str, str]]:
    """Yield the literal text between two fields, perhaps none, with their kinds."""
    before, text = "", ""
    for part in [*flat(parts), FormPart("")]:
        if part.kind == "text":
            text += part.text
        else:
            yield before, text, part.kind
            before, text = part.kind, ""


def _is_form(line: Line, kind: str, usual: Counter[tuple[str, tuple[str, str, str]]]) -> bool:
    """Return whether a line says nothing of its entry alone beside its fields."""
    literal = "\n".join(literals(line.parts))
    if _FACTS.search(literal) or any(
        "](" in text.removesuffix("<").removesuffix("](") for text in literals(line.parts)
    ):
        return False
    if not is_whole(line.parts):
        return False
    return kind == "row" or all(
        usual[kind, segment] >= _FEWEST_ALIKE for segment in _texts(line.parts) if _WORD.search(segment[1])
    )


def _form(entry: Entry, end: int, text: str) -> Form | None:
    first = entry.title_line.start
    last = max(end, entry.title_line.end)
    while last > first and text[last - 1] in " \t\r\n":
        last -= 1
    pieces = find_pieces(entry, Span(first, last), text)
    if pieces is None:
        return None
    parts: list[FormPart] = []
    done = first
    stated = states_year(pieces)
    for span, part in pieces:
        if span.start < done or span.end > last:
            return None
        between = list(literal_parts(text[done : span.start], entry.year, stated))
        stated = stated or any(item.kind == "year" for item in between)
        parts += [*between, part]
        done = span.end
    parts += literal_parts(text[done:last], entry.year, stated)
    margin = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    form = tuple(_lines(parts, " " * (first - margin)))
    return form if form and "title" in kinds_in(form[0].parts) else None


def _lines(parts: Sequence[FormPart], margin: str) -> Iterator[Line]:
    """Yield the lines that have fields, with the blank lines above each."""
    row: list[FormPart] = []
    blanks = number = 0
    is_nested = False
    for part in [*parts, FormPart("text", "\n")]:
        pieces = _LINE_END.split(part.text) if part.kind == "text" else []
        row += [part] if not pieces else [FormPart("text", pieces[0])] if pieces[0] else []
        for piece in pieces[1:]:
            fields = {*kinds_in(row)}
            if not number or not fields <= {"other", "month", "year"}:
                yield Line(blanks, is_nested, tuple(row))
            is_blank = not fields and not "".join(literals(row)).strip()
            blanks = blanks + 1 if is_blank and number else 0
            number += 1
            is_nested = bool(margin) and piece.startswith(margin)
            piece = piece.removeprefix(margin)
            row = [FormPart("text", piece)] if piece else []
        if number > _MOST_LINES:
            return


def _row(entry: Entry, text: str) -> Form | None:
    """Return the cells of a row as groups; what a cell has beside fields is left out."""
    cells = tuple(_cell(Span(cell.start, cell.end), entry, text) for cell in entry.block.blocks)
    return (Line(0, False, cells),) if "title" in kinds_in(cells) else None


def _cell(cell: Span, entry: Entry, text: str) -> FormPart:
    pieces = find_pieces(entry, cell, text) or []
    whole = text[slice(*cell)]
    if {*kinds_in([piece.part for piece in pieces])} <= {"other"}:
        before, year, behind = whole.strip().partition(str(entry.year))
        is_year = year and _MARKS.fullmatch(before) and _MARKS.fullmatch(behind)
        return FormPart(
            "group", "", (*literal(before), FormPart("year"), *literal(behind)) if is_year else ()
        )
    links = [link for link in entry.links if cell.start <= link.link.start < cell.end]
    if len(pieces) == 1 and kinds_in([pieces[0].part]) == ["labels"] and len(links) == 1:
        return link_field(entry, links[0], pieces[0].span, text).part
    parts: list[FormPart] = []
    done = cell.start
    for span, part in pieces:
        between = text[done : span.start]
        if span.start < done:
            continue
        if parts:
            stays = _BREAK.fullmatch(between) or not _WORD.search(between)
            parts.append(FormPart("text", between if stays else " "))
        parts.append(part)
        done = span.end
    before, behind = text[cell.start : pieces[0].span.start].lstrip(), text[done : cell.end].rstrip()
    if _MARKS.fullmatch(before) and _MARKS.fullmatch(behind):
        parts = [*literal(before), *parts, *literal(behind)]
    return FormPart("group", "", bracketed(parts))


_MANY_DESCRIBED = 10  # descriptions of a section show what they end with there, though some end otherwise
_FEWEST = 3  # as many links to a host with the same label show what the list calls them
# Labels of papers that do not name a host: `arXiv` would be wrong for a DOI.
NEUTRAL = frozenset({"paper", "pdf", "link", "url"})
_LEAST_CASES = 5  # as many separators of names, and as many `et al.`, show a habit
_RARE = 10  # one of as many names before a title shows a habit
_VERY_RARE = 20  # a number of authors that one of as many papers has is no habit
_MOST_LOOKED_AT = 3  # the first authors show how all are written
_LONGEST_BADGE = 150
_INITIALS = lazy(r"(?:[^\W\d_]\.[ -]?){1,3}[^\W\d_][^\W\d_]")


class PeopleStyle(NamedTuple):
    """What stands between names, before the last one, and between two, and what is written of given names."""

    between: str
    last: str
    pair: str
    with_initials: bool
    families: bool  # whether only the families are named: `Stone et al.`
    most: int | None  # the most authors that are named without `et al.`; None if that is not written


class Dialect(NamedTuple):
    """How a list writes its entries."""

    forms: Mapping[str, Forms]  # by the kind of the entries' blocks
    house_style: HouseStyle
    vocabulary: Vocabulary
    conventions: Conventions
    role_order: Mapping[str, float]  # the mean place of links of a role among those of an entry
    # what links of a role to a host are called, `PUB` of a DOI, `arXiv` of a preprint; with no host, those to any.
    host_words: Mapping[tuple[str, str], str]
    people: PeopleStyle
    # what descriptions end with, a full stop or nothing; True: with Chinese or Japanese words
    description_stops: Mapping[bool, str]
    section_stops: Mapping[int | None, Mapping[bool, str]]  # of sections where all end alike
    newline: str
    # whether a name stands before a title that begins with it, too: `(Quill) Quill: Notes`.
    repeats_names: bool
    has_bare_links: bool  # whether the links of papers are their addresses alone
    findings: tuple[str, str]  # what stands before and behind a venue for its Findings


def learn_dialect(document: Document, vocabulary: Vocabulary) -> Dialect:
    """Return how a list writes its entries."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for entry in document.entries:
        for place, link in enumerate(entry.links if len(entry.links) > 1 else ()):
            if link.role is not None:
                places[link.role.id].append(place)
    conventions = count_observations([observe(document)], vocabulary)
    return Dialect(
        learn_forms(document),
        find_house_style(count_forms(_lines_of_labels(document), vocabulary)),
        vocabulary,
        conventions,
        {role: sum(numbers) / len(numbers) for role, numbers in places.items()},
        _host_words(document, vocabulary),
        _learn_people(document),
        _description_stops(document.entries, document.source.text),
        _section_stops(document),
        document.source.newline,
        _repeats_names(document),
        _has_bare_links(document),
        _findings(document),
    )


def _section_stops(document: Document) -> dict[int | None, dict[bool, str]]:
    """Return what descriptions end with in sections that have many, or several with the same end."""
    text = document.source.text
    sections: defaultdict[int | None, list[Entry]] = defaultdict(list)
    ends: defaultdict[int | None, list[str | None]] = defaultdict(list)
    for entry in document.entries:
        if entry.description is not None:
            sections[entry.section].append(entry)
            ends[entry.section].append(_full_stop(entry, entry.description, text))
    alike = (
        section
        for section, found in ends.items()
        if len(found) >= (_FEWEST if len({*found}) == 1 else _MANY_DESCRIBED)
    )
    return {section: _description_stops(sections[section], text) for section in alike}


def _description_stops(entries: Iterable[Entry], text: str) -> dict[bool, str]:
    """Return what most descriptions end with, by whether they have Chinese or Japanese words; those of one kind follow the others if alone."""
    ends: defaultdict[bool, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.description is not None and (stop := _full_stop(entry, entry.description, text)) is not None:
            ends[has_cjk(entry.description.value)].append(stop)
    stops: dict[bool, str] = {}
    for is_cjk in (False, True):
        known = ends[is_cjk] or ends[not is_cjk]
        usual = Counter(filter(None, ends[is_cjk] or ["."])).most_common(1)
        stops[is_cjk] = usual[0][0] if usual and 2 * sum(map(bool, known)) >= len(known) else ""
    return stops


def _full_stop(entry: Entry, description: Field, text: str) -> str | None:
    """Return the full stop that a description ends with, or nothing; None if that is unclear: `Sorts books *(Open)*`."""
    end = find_description_end(entry, text)
    if end is None and entry.block.kind != "row":
        match = _STOPPED.search(description.value)
        return match[0][0] if match is not None else None
    last = text[description.span.end - 1]
    return last if last in STOPS else "." if end is not None and end.form != "none" else ""


def _lines_of_labels(document: Document) -> Iterator[TitleLine]:
    """Yield the lines of entries, without links that are words of a description."""
    for entry in document.entries:
        line = parse_title_line(entry, entry.span, (), document.source.text)
        described = entry.description.span if entry.description is not None else Span(0, 0)
        labels = (label for label in line.labels if not is_within(label.span, described))
        yield line._replace(labels=tuple(labels))


def _has_bare_links(document: Document) -> bool:
    """Return whether the links of most papers are their addresses alone."""
    links = [
        link
        for entry in document.entries
        if entry.kind == "paper" or entry.dialect == "table-row"
        for link in entry.links
        if link.role is not None
    ]
    return 2 * sum(link.link.destination == link.link.text for link in links) > len(links)


def _findings(document: Document) -> tuple[str, str]:
    """Return what stands before and behind a venue for its Findings, nothing if they are not told from it."""
    beside = Counter[tuple[str, str]]()
    for cited, known in ((entry.citation, entry.identifiers) for entry in document.entries):
        if cited is not None and cited.venue is not None and is_of_findings(cited.text, known):
            before, label, behind = YEAR_AT_END.sub("", cited.text).partition(cited.venue.label)
            if label and not any(map(str.isdigit, behind)):
                beside[before, behind] += 1
    return beside.most_common(1)[0][0] if beside else ("Findings of ", "")


def _host_words(document: Document, vocabulary: Vocabulary) -> dict[tuple[str, str], str]:
    """Return the words that most links of a role to a host have, and of those that suit any host the usual ones."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    papers = ((entry, link) for entry in document.entries if entry.kind == "paper" for link in entry.links)
    for entry, link in papers:
        words = parse_label(link, document.source.text).words
        for number in entry.identifiers.values():
            words = words.replace(number, IDENTIFIER)
        if link.role is not None and link.role.id == "paper" and _is_general(words, vocabulary):
            counts[link.role.id, host_of(link.link.url)][words] += 1
            counts[link.role.id, ""][words] += words.casefold() in NEUTRAL
    usual = {key: words_of.most_common(1)[0] for key, words_of in counts.items()}
    return {
        key: words
        for key, (words, count) in usual.items()
        if count >= _FEWEST and 2 * count > counts[key].total()
    }


def _is_general(words: str, vocabulary: Vocabulary) -> bool:
    """Return whether a label is a word or a picture that shows nothing of its entry alone, such as its venue."""
    if words.startswith("!["):
        return len(words) <= _LONGEST_BADGE
    said = words.replace(IDENTIFIER, "").strip(": ")
    is_word = said.isalpha() and vocabulary.venue(said) in (None, vocabulary.venues.get("arxiv"))
    return is_word or words == IDENTIFIER


def _usual(forms: Counter[str], default: str) -> str:
    """Return the form that most cases have, of at least five, or all of fewer."""
    is_usual = len(forms) == 1 or forms.total() >= _LEAST_CASES
    return forms.most_common(1)[0][0] if is_usual else default


def _repeats_names(document: Document) -> bool:
    """Return whether some titles begin with the name that stands before them."""
    named = [
        entry.title.value.startswith(entry.name.value)
        for entry in document.entries
        if entry.kind == "paper" and entry.name is not None and entry.name.span.end <= entry.title.span.start
    ]
    return any(named) and sum(named) * _RARE >= len(named)


# ------------------------------------------------------------------------------------------------------------ people
def _learn_people(document: Document) -> PeopleStyle:
    """Return how most entries of a list write their authors."""
    text = document.source.text
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    initials, families = Counter[bool](), Counter[bool]()
    named: Counter[int] = Counter()
    cut = 0
    for entry in document.entries:
        if has_others(entry.authors, text):
            cut += 1
        elif entry.authors:
            named[len(entry.authors)] += 1
        for credit in find_author_forms(entry, text):
            forms[credit.question][credit.form] += 1
        names = [given_first(author.value.strip()) for author in entry.authors[:_MOST_LOOKED_AT]]
        families.update(" " not in name for name in names)
        initials.update(_INITIALS.match(name) is not None for name in names)
    between = _usual(forms["between authors"], ", ")
    last = _usual(forms["before the last author"], between)
    most = max((number for number, count in named.items() if count * _VERY_RARE > named.total()), default=1)
    return PeopleStyle(
        between,
        last,
        _usual(forms["between two authors"], last),
        initials[True] > 4 * initials[False],
        families[True] > 4 * families[False],
        most if cut >= _LEAST_CASES else None,
    )
