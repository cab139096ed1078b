"""The forms in which a list writes its entries, learned from them: literal text, and fields between it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.format.entries.title_lines import find_title_lines
from shelfread.format.entries.title_parts import TitleLine, parse_title_line
from shelfread.index.conventions.title_line import main_link
from shelfread.index.conventions.venue_style import find_venue_form
from shelfread.markdown.node import Block

_WORD = lazy(r"[^\W\d_]{2,}")
_FEWEST = 3
"""As many entries with the same words beside their fields show that the words belong to the form."""
_OTHER = lazy(
    r"!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>|(?P<date>(?<!\d)(?:(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s(?:\d{1,2},?\s)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:[-/.]\d\d?){0,2})(?!\d))"
)
_FACTS = lazy(r"\d|!\[|<(?!/?(?:b|i|u|em|ins|strong|br|sub|sup|code)\b)")
"""What a form cannot have beside its fields: dates, badges, pictures."""
_ET_AL = lazy(r",?\s(?:et\.?\s?al\.?|and others)")
_PAIRS = {"(": ")", "[": "]", "（": "）", "*": "*", "_": "_", "`": "`", '"': '"'}
_STOPS = (".", "。", ")")
"""What stays behind a field when the next one goes."""


class Part(NamedTuple):
    """A field, or literal text: `kind` is text, group, or a field: title, name, url, venue, year, short_year, citation, labels, label, link,
    authors, affiliations, description, other. A date or badge (other) is never written: it is that of another entry.

    `text` is the literal text, the role of a link, a label's words, or what stands for authors that are not named. `parts` are those of a group, which is written only if a field in it is.
    """

    kind: str
    text: str = ""
    parts: tuple[Part, ...] = ()


Form: TypeAlias = tuple[Part, ...]
"""The form of a title line; of a table row, a group for each cell."""


class Forms(NamedTuple):
    """How many entries in blocks of a kind have which form, in the whole list and in each section."""

    whole: Counter[Form]
    by_section: dict[int | None, Counter[Form]]


_Found: TypeAlias = "tuple[int, int, Part]"


def learn_forms(document: Document) -> dict[str, Forms]:
    """Return the forms of a list's entries by the kind of their blocks: item, row, paragraph.

    One with words of its own beside its fields has no form, unless others have the same words.
    """
    found: dict[str, Forms] = {}
    text = document.source.text
    lines, _ = find_title_lines(document, with_rows=False)
    for index, entry in enumerate(document.entries):
        kind = entry.block.kind
        line = lines.get(index)
        if kind == "paragraph" and entry.kind == "paper":
            line = parse_title_line(entry, entry.title_line, entry.block.inlines, text)
        form = _form_of(entry, line, text)
        if form is not None:
            forms = found.setdefault(kind, Forms(Counter(), {}))
            forms.whole[form] += 1
            forms.by_section.setdefault(entry.section, Counter())[form] += 1
    for kind, forms in found.items():
        own = [
            form
            for form, count in forms.whole.items()
            if _matches(form, _FACTS)
            or any(part.kind == "text" and "](" in part.text for part in form)
            or (count < _FEWEST and kind != "row" and _matches(form, _WORD))
        ]
        for form in own:
            del forms.whole[form]
            for counts in forms.by_section.values():
                counts.pop(form, None)
    return found


def kinds_in(form: Sequence[Part]) -> Iterator[str]:
    """Yield the kinds of the fields in a form."""
    for part in form:
        if part.kind == "group":
            yield from kinds_in(part.parts)
        elif part.kind != "text":
            yield part.kind


def _matches(form: Sequence[Part], pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern is found in the literal text of a form."""
    return any(
        _matches(part.parts, pattern)
        if part.kind == "group"
        else part.kind == "text" and pattern.search(part.text)
        for part in form
    )


def _form_of(entry: Entry, line: TitleLine | None, text: str) -> Form | None:
    if entry.block.kind == "row":
        return _row_form(entry, text)
    if entry.kind == "classic":
        found = _classic_parts(entry, text)
    elif line is not None and not line.is_torn:
        found = _paper_parts(line, text)
    else:
        return None
    first, last = entry.title_line
    return _assemble(found, first, last, entry, text) if found is not None else None


def _assemble(found: Sequence[_Found], first: int, last: int, entry: Entry, text: str) -> Form | None:
    """Return the parts and the text between them as a form; None if parts overlap, or one is outside."""
    parts: list[Part] = []
    done = first
    stated = "year" in {kind for _, _, part in found for kind in kinds_in((part,))} or "citation" in {
        kind for _, _, part in found for kind in kinds_in((part,))
    }
    for start, end, part in sorted(found, key=lambda item: item[:2]):
        if start < done or end > last:
            return None
        parts += [*_literal(text[done:start], entry, stated), part]
        done = end
    parts += _literal(text[done:last], entry, stated)
    if entry.block.kind != "paragraph" and "\n" in "".join(part.text for part in parts):
        return None
    return tuple(parts) if any(part.kind == "group" or part.kind == "title" for part in parts) else None


def _literal(text: str, entry: Entry, stated: bool) -> Iterator[Part]:
    """Yield literal text, and dates and pictures in it: the first date is the year, if no field states it."""
    done = 0
    for match in _OTHER.finditer(text):
        yield from _text(text[done : match.start()])
        is_year = not stated and match["date"] is not None and str(entry.year) in match["date"]
        yield Part("year" if is_year else "other")
        stated = stated or is_year
        done = match.end()
    yield from _text(text[done:])


def _text(text: str) -> Iterator[Part]:
    if text:
        yield Part("text", text)


def _group(span: Span, inner: Sequence[_Found], text: str) -> _Found:
    """Return a span as one group, with fields in it."""
    parts: list[Part] = []
    done = span.start
    for start, end, part in sorted(inner, key=lambda item: item[:2]):
        parts += [*_text(text[done:start]), part]
        done = end
    parts += _text(text[done : span.end])
    return span.start, span.end, Part("group", "", tuple(parts))


def _paper_parts(line: TitleLine, text: str) -> list[_Found] | None:
    entry = line.entry
    title: list[_Found] = [(*line.title, Part("title"))]
    whole = line.outer
    if line.main is not None:
        link = line.main.link
        if link.destination is None or not (link.start <= line.title.start and line.title.end <= link.end):
            return None
        title.append((*link.destination, Part("url")))
        whole = line.linked
    found = [_group(whole, title, text)]
    for part in line.parts:
        if part == line.venue:
            found.append(_group(part, _citation_parts(entry, text), text))
        else:
            found.append((*part, Part("labels")))
    if line.venue is None and entry.citation is not None and _is_inside(entry.citation.span, line.span):
        return None  # in the text of a link
    if entry.name is not None and _is_inside(entry.name.span, Span(line.span.start, whole.start)):
        found.append(_group(_around(entry.name.span, text), [(*entry.name.span, Part("name"))], text))
    description = [entry.description] if entry.description else []
    for kind, fields in (
        ("authors", entry.authors),
        ("affiliations", entry.affiliations),
        ("description", description),
    ):
        span = Span(fields[0].span.start, fields[-1].span.end) if fields else Span(0, 0)
        if not fields or not _is_inside(span, line.span):
            continue
        others = _ET_AL.match(text, span.end, line.span.end) if kind == "authors" else None
        if others is not None:
            span = Span(span.start, others.end())
        found.append(_group(_around(span, text), [(*span, Part(kind, others[0] if others else ""))], text))
    return found


def _around(span: Span, text: str) -> Span:
    """Return a span with the brackets and marks that hold nothing else."""
    start, end = span
    while start and _PAIRS.get(text[start - 1]) == text[end : end + 1]:
        start, end = start - 1, end + 1
    return Span(start, end)


def _is_inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start < inner.end <= outer.end


def _citation_parts(entry: Entry, text: str) -> list[_Found]:
    """Return the venue's name and its year as fields, or the whole citation if it has another form."""
    cited = entry.citation
    if cited is None:
        return []
    form = find_venue_form(entry, text)
    if cited.year is None:
        return [(*cited.span, Part("venue"))]
    if form is None or cited.name is None:
        return [(*cited.span, Part("citation"))]
    year = Span(form.span.end - form.digits, form.span.end)
    return [(*cited.name.span, Part("venue")), (*year, Part("year" if form.digits == 4 else "short_year"))]


def _classic_parts(entry: Entry, text: str) -> list[_Found] | None:
    main = main_link(entry)
    if main is None or main.link.destination is None or len(entry.links) > 1:
        return None
    link = main.link
    title = _group(
        Span(link.start, link.end), [(*link.text, Part("title")), (*main.link.destination, Part("url"))], text
    )
    if entry.description is None:
        return [title]
    return [title, (*entry.description.span, Part("description"))]


def _row_form(entry: Entry, text: str) -> Form | None:
    """Return the cells of a row as groups; what a cell has beside fields is left out."""
    cells = [_cell(cell, entry, text) for cell in entry.block.blocks]
    kinds = {kind for cell in cells for kind in kinds_in((cell,))}
    return tuple(cells) if "title" in kinds else None


def _cell(cell: Block, entry: Entry, text: str) -> Part:
    span = Span(cell.start, cell.end)
    inner: list[_Found] = []
    title = entry.title.span
    main = main_link(entry)
    if _is_inside(title, span):
        link = main.link if main is not None and main.link.destination is not None else None
        if (
            link is not None
            and link.destination is not None
            and link.start <= title.start
            and title.end <= link.end
        ):
            inner = [(*title, Part("title")), (*link.destination, Part("url"))]
            return _group(Span(link.start, link.end), inner, text)[2]
        return _group(title, [(*title, Part("title"))], text)[2]
    if entry.citation is not None and _is_inside(entry.citation.span, span):
        return _group(entry.citation.span, _citation_parts(entry, text), text)[2]
    links = [link for link in entry.links if span.start <= link.link.start < span.end]
    if len(links) > 1:
        return Part("group", "", (Part("labels"),))
    if links and links[0].link.destination is not None:
        return _link_cell(links[0], text)
    if entry.authors and _is_inside(entry.authors[0].span, span):
        return Part("group", "", (Part("authors"),))
    if entry.year is not None and text[cell.start : cell.end].strip() == str(entry.year):
        return Part("group", "", (Part("year"),))
    if entry.description is not None and _is_inside(entry.description.span, span):
        return Part("group", "", (Part("description"),))
    return Part("group")


def _link_cell(label: LabelledLink, text: str) -> Part:
    """Return a cell with one link: the brackets around it, its label, its URL."""
    link, role = label.link, label.role.id if label.role else ""
    is_bracketed = text[link.start - 1 : link.start] == "[" and text[link.end : link.end + 1] == "]"
    before, behind = ("[", "]") if is_bracketed else ("", "")
    inner = text[link.text.start : link.text.end]
    opening, closing = ("[", "]") if inner.startswith("[") and inner.endswith("]") else ("", "")
    words = inner[len(opening) : len(inner) - len(closing)]
    return Part("group", "", (
        Part("text", f"{before}[{opening}"), Part("label", words), Part("text", f"{closing}]("), Part("link", role),
        Part("text", f"){behind}"),
    ))  # fmt: skip


Fields: TypeAlias = "Callable[[Part], str | None]"


def render(form: Sequence[Part], value: Fields) -> str:
    """Return a form with the values of its fields; a field without one goes, with its group and the text before it."""
    written: list[str] = []
    pending = ""
    dropped = nameless = False
    for part in form:
        if part.kind == "text":
            pending += part.text.lstrip(" :：-–—") if nameless else part.text
            nameless = False
            continue
        text = _filled(part.parts, value) if part.kind == "group" else value(part)
        if text is None:
            nameless = not written and "name" in kinds_in((part,))
            pending, dropped = pending[:1] if pending[:1] in _STOPS else "", True
            continue
        written += [pending, text]
        pending, dropped = "", False
    return "".join([*written, pending if not dropped or pending in _STOPS else ""])


def _filled(parts: Sequence[Part], value: Fields) -> str | None:
    """Return a group with its fields; None if none of them has a value."""
    written: list[str] = []
    found = after_gap = False
    for part in parts:
        if part.kind == "text":
            written.append(part.text.lstrip(" ,'’-") if after_gap else part.text)
            after_gap = False
            continue
        text = value(part)
        if text is None and part.kind == "url":
            return value(Part("title"))  # without a link there is no link around the title
        if text is None and found and written:
            written[-1] = written[-1].rstrip(" ,'’-")
        found = found or text is not None
        after_gap = text is None
        written.append(text or "")
    return "".join(written) if found else None
