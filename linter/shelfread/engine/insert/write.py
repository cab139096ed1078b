"""Writes an entry in the forms of a list."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.engine.insert.template import Fields, Form, Forms, Part, kinds_in, learn_forms, render
from shelfread.format.entries.house_style import (
    HouseStyle,
    count_forms,
    find_house_style,
    role_label,
    write_labels,
)
from shelfread.format.entries.title_lines import find_title_lines
from shelfread.imports.model import ImportedEntry
from shelfread.markdown.escape import destination, escape
from shelfread.taxonomy.vocabulary import Vocabulary

_MOST_FORMS = 8
_LEAST_FORMS = 5
"""Entries of a list, to know what it leaves out."""
_YEAR = lazy(r"[\s,:'’(-]*\b(?:\d{4}|'?\d\d)\)?$")
_PAPER = (
    Part("group", "", (Part("title"),)), Part("text", " "),
    Part("group", "", (Part("text", "("), Part("venue"), Part("text", " "), Part("year"), Part("text", ")"))),
    Part("text", " "), Part("labels"),
)  # fmt: skip
_CLASSIC = (
    Part("group", "", (Part("text", "["), Part("title"), Part("text", "]("), Part("url"), Part("text", ")"))),
    Part("text", " - "), Part("description"),
)  # fmt: skip
_NEUTRAL = frozenset({"paper", "pdf", "link", "url"})
"""Labels of papers that do not name a host: `arXiv` would be wrong for a DOI."""
_WORD = lazy(r"[^\W\d_]{2,}")


class AuthorLine(NamedTuple):
    """How a list writes authors below a title: what stands before and behind them, and whether only the first is named."""

    before: str
    behind: str


class Dialect(NamedTuple):
    """How a list writes its entries."""

    forms: Mapping[str, Forms]
    """By the kind of the entries' blocks."""
    house_style: HouseStyle
    vocabulary: Vocabulary
    venue_names: Mapping[str, str]
    """The list's usual name of each venue, by its label."""
    role_order: Mapping[str, float]
    """The mean place of links of a role among those of an entry."""
    author_line: AuthorLine | None
    description_stop: str
    """What descriptions end with: a full stop, or nothing."""


def learn_dialect(document: Document, vocabulary: Vocabulary) -> Dialect:
    """Return how a list writes its entries."""
    lines, _ = find_title_lines(document, with_rows=True)
    names: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for entry in document.entries:
        cited = entry.citation
        if cited is not None and cited.venue is not None and cited.name is not None:
            names[cited.venue.label][cited.name.value] += 1
        if len(entry.links) > 1:
            for place, link in enumerate(entry.links):
                if link.role is not None:
                    places[link.role.id].append(place)
    return Dialect(
        learn_forms(document),
        find_house_style(count_forms(lines.values(), vocabulary)),
        vocabulary,
        {label: counts.most_common(1)[0][0] for label, counts in names.items()},
        {role: sum(found) / len(found) for role, found in places.items()},
        _author_line(document),
        _description_stop(document),
    )


def _description_stop(document: Document) -> str:
    """Return what most descriptions end with; a full stop if there are none."""
    ends = [entry.description.value[-1:] in (".", "。") for entry in document.entries if entry.description]
    return "." if 2 * sum(ends) >= len(ends) else ""


def _author_line(document: Document) -> AuthorLine | None:
    """Return how authors stand on a line of their own, if most papers have them there."""
    text = document.source.text
    papers = [entry for entry in document.entries if entry.kind == "paper"]
    found: Counter[AuthorLine] = Counter()
    for entry in papers:
        if not entry.authors or entry.authors[0].span.start < entry.title_line.end:
            continue
        start, end = entry.authors[0].span.start, entry.authors[-1].span.end
        first = entry.title_line.end
        first += len(text[first:start]) - len(text[first:start].lstrip(" \t\r\n\\"))
        first = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
        gap = text[entry.title_line.end : first].count("\n") - 1
        stop = min(
            (place for place in (text.find("\n", end), text.find("\r", end)) if place >= 0), default=len(text)
        )
        before = text[first:start]
        if first < entry.title_line.end or "\n" in text[first:end] or gap not in (0, 1):
            continue
        behind = text[end:stop].rstrip()
        if not _WORD.search(before):
            newline = document.source.newline
            found[AuthorLine(newline * gap + before, "" if _WORD.search(behind) else behind)] += 1
    if found.total() * 2 <= len(papers):
        return None
    return found.most_common(1)[0][0]


def candidates(entry: ImportedEntry, section: int | None, dialect: Dialect, kind: str) -> list[str]:
    """Return the ways to write an entry's line, the likeliest first, for a block of a kind: item, row, paragraph."""
    known = dialect.forms.get(kind, Forms(Counter(), {}))
    in_table = kind == "row"
    here = known.by_section.get(section, Counter[Form]())
    forms = list(known.whole)
    if in_table and here:
        # Tables of other sections may have other columns.
        forms = [form for form in forms if here[form]]
    is_classic = bool(forms) and not any(_is_paper(form) for form in forms)
    ranked = sorted(
        forms, key=lambda form: _rank(form, entry, 4 * here[form] + known.whole[form]), reverse=True
    )
    if not in_table:
        ranked = [*ranked[:_MOST_FORMS], *((_CLASSIC, _PAPER) if is_classic else (_PAPER, _CLASSIC))]
    written = (_write(form, entry, dialect, in_table) for form in ranked[: _MOST_FORMS + 2])
    return list(dict.fromkeys(written))


def leaves_out(dialect: Dialect, kind: str) -> frozenset[str]:
    """Return which of venue and year hardly any entry of a list states on its line."""
    forms = dialect.forms.get(kind, Forms(Counter(), {})).whole
    stated: Counter[str] = Counter()
    for form, count in forms.items():
        kinds = set(kinds_in(form))
        stated["venue"] += count * (not kinds.isdisjoint(("venue", "citation")))
        stated["year"] += count * (not kinds.isdisjoint(("year", "short_year", "citation")))
    total = forms.total()
    return frozenset(
        field for field in ("venue", "year") if total >= _LEAST_FORMS and stated[field] * 20 < total
    )


def _is_paper(form: Form) -> bool:
    return not {"venue", "citation", "year", "short_year", "labels", "authors"}.isdisjoint(kinds_in(form))


def _rank(form: Form, entry: ImportedEntry, weight: int) -> tuple[bool, bool, float]:
    """Return how well a form fits: whether it has all links and the venue, then how usual it is."""
    kinds = list(kinds_in(form))
    links = [link for link in entry["links"] if link["url"]]
    room = len(links) if "labels" in kinds else kinds.count("url") + kinds.count("link")
    stated = 0
    if entry["venue_text"]:
        stated += "venue" in kinds or "citation" in kinds
    if entry["year"] is not None:
        stated += not {"year", "short_year", "citation"}.isdisjoint(kinds)
    if entry["description"]:
        stated += "description" in kinds
    missing = sum(
        1 for kind in ("description", "authors", "affiliations", "name") if kind in kinds and not entry[kind]
    )
    missing += "labels" in kinds and len(links) <= kinds.count("url")
    return room >= len(links), True, weight * 5.0**stated / 2**missing


def _write(form: Form, entry: ImportedEntry, dialect: Dialect, in_table: bool) -> str:
    links = _ordered([link for link in entry["links"] if link["url"]], dialect)
    used: list[Any] = []
    kinds = set(kinds_in(form))
    if "url" in kinds and links:
        used.append(next((link for link in links if link["role"] == "paper"), links[0]))

    def value(part: Part) -> str | None:
        if part.kind == "title":
            return _title(entry, in_table, "name" in kinds)
        if part.kind == "other":
            return None
        if part.kind == "name":
            return escape(entry["name"], in_table=in_table) if entry["name"] else None
        if part.kind == "affiliations":
            return escape(" & ".join(entry["affiliations"]), in_table=in_table) or None
        if part.kind == "url":
            return destination(used[0]["url"], in_table=in_table) if used else None
        if part.kind == "labels":
            rest = [link for link in links if link not in used]
            used.extend(rest)  # a form may have labels in two places
            return _labels(rest, dialect) if rest else None
        if part.kind == "authors":
            return escape(_people(entry["authors"], part.text), in_table=in_table) or None
        if part.kind == "description":
            text = entry["description"]
            return _description(text, dialect, in_table) if text else None
        return _citation(part.kind, entry, dialect, in_table)

    if in_table:
        return f"| {' | '.join(_cell(part, value, links, used) for part in form)} |"
    return render(form, value).rstrip(" \\\r\n")


def _cell(part: Part, value: Fields, links: Sequence[Mapping[str, Any]], used: list[Any]) -> str:
    """Return a cell; one for a link of a role has the first link of that role that no other cell has."""
    role = next((inner.text for inner in part.parts if inner.kind == "link"), None)
    if role is None:
        return render((part,), value)
    found = next((link for link in links if link not in used and (link["role"] or "") == role), None)
    if found is None:
        return ""
    used.append(found)

    def linked(inner: Part) -> str:
        if inner.kind == "link":
            return destination(found["url"], in_table=True)
        is_true = "![" not in inner.text and (role != "paper" or inner.text.casefold() in _NEUTRAL)
        return inner.text if is_true else escape(found["label"], in_table=True)

    return render((part,), linked)


def _people(authors: Sequence[str], others: str) -> str:
    """Return authors as the list writes them: all, or with `et al.` the first one."""
    if others and len(authors) > 1:
        return f"{_given_first(authors[0])}{others}"
    stop = "." if authors and others.endswith(".") else ""
    return ", ".join(map(_given_first, authors)) + stop


def _description(text: str, dialect: Dialect, in_table: bool) -> str:
    written = escape(text, in_table=in_table).rstrip(".。")
    return written if written.endswith(("!", "?", "…")) else written + dialect.description_stop


def _title(entry: ImportedEntry, in_table: bool, is_named: bool) -> str:
    title, name = entry["title"], entry["name"]
    written = escape(title, in_table=in_table)
    return f"({escape(name)}) {written}" if name and not is_named and not title.startswith(name) else written


def _citation(kind: str, entry: ImportedEntry, dialect: Dialect, in_table: bool) -> str | None:
    year = entry["year"]
    venue = _venue_name(entry, dialect)
    if kind == "venue":
        return escape(venue, in_table=in_table) if venue else None
    if kind == "year" or (kind == "short_year" and not venue):
        return str(year) if year is not None else None
    if kind == "short_year":
        return f"{year % 100:02}" if year is not None else None
    stated = " ".join(part for part in (venue, str(year) if year is not None else "") if part)
    return escape(stated, in_table=in_table) or None


def _venue_name(entry: ImportedEntry, dialect: Dialect) -> str:
    label, year = entry["venue"], entry["year"]
    if label is None:
        return _YEAR.sub("", entry["venue_text"] or "").strip()
    if label in dialect.venue_names:
        return dialect.venue_names[label]
    venue = dialect.vocabulary.venue(label)
    return venue.label_in(year) if venue is not None and year is not None else label


def _ordered(links: Sequence[Mapping[str, Any]], dialect: Dialect) -> list[Mapping[str, Any]]:
    roles = list(dialect.vocabulary.roles)
    return sorted(
        links,
        key=lambda link: (
            dialect.role_order.get(link["role"] or "", 50.0),
            roles.index(link["role"]) if link["role"] in roles else len(roles),
        ),
    )


def _labels(links: Sequence[Mapping[str, Any]], dialect: Dialect) -> str:
    style, vocabulary = dialect.house_style, dialect.vocabulary
    written = []
    for link in links:
        role = vocabulary.roles.get(link["role"] or "")
        words = role_label(role, style, vocabulary) if role is not None else escape(link["label"])
        written.append((words, f"({destination(link['url'])})"))
    return write_labels(written, style)


def _given_first(author: str) -> str:
    """Return a name as most lists write it: `Stone, Ada` is `Ada Stone`."""
    family, comma, given = author.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else author


def author_line(entry: ImportedEntry, dialect: Dialect) -> str | None:
    """Return the line of authors below a title, if the list has such lines."""
    if dialect.author_line is None or not entry["authors"]:
        return None
    people = escape(", ".join(map(_given_first, entry["authors"])))
    return f"{dialect.author_line.before}{people}{dialect.author_line.behind}"
