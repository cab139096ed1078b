"""The values of an entry's fields as a list writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shelfread.core.patterns import lazy
from shelfread.document.entry_data import stands_in
from shelfread.document.identity import identify
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.venues import PART, YEAR_AT_END, is_of_findings
from shelfread.format.house_style import HouseStyle, role_label, write_labels
from shelfread.imports.dialect import NEUTRAL, Dialect, PeopleStyle
from shelfread.imports.entry_form import (
    ADDRESS,
    ANY,
    DEFINED,
    IDENTIFIER,
    Fields,
    Form,
    FormPart,
    kinds_in,
    kinds_of,
    literals,
    render,
    short_address,
)
from shelfread.imports.imported_entry import (
    DERIVED_LABELS,
    ImportedEntry,
    given_first,
    is_cited,
    workshop_name,
)
from shelfread.index.conventions import Question
from shelfread.index.line_style import has_cjk
from shelfread.index.observations import STOPS, VENUE_NAME
from shelfread.markdown.html import destination, escape
from shelfread.taxonomy.hosts import host_of, registrable

_ANY_LINK = frozenset({"link", "Link", "url", "URL"})
_OTHER_PEOPLE, _TOO_MANY = 3, 2
_FRAMEWORKS = lazy(r"caffe|jax|keras|matlab|mxnet|python|pytorch|tensorflow|tf\b|theano|torch", 2)
_ARXIV_MONTH = lazy(r"(\d\d)(0[1-9]|1[0-2])\.\d{4,5}$")
_GIVEN = lazy(r"([^\W\d_])[^\W\d_]*\.?")
_TAG = lazy(r"`[^`\n]{1,60}`")
_STATES_VENUE = frozenset({"venue", "citation"})
_STATES_YEAR = frozenset({"year", "short_year", "citation"})
_GIVES_YEAR = _STATES_YEAR | {"month"}


class Values:
    """Gives the values of fields for one form in order, each link once; `misfit` tells how ill it suits so many authors."""

    def __init__(
        self, entry: ImportedEntry, form: Form, dialect: Dialect, in_table: bool, given: frozenset[str]
    ) -> None:
        self.entry = entry
        self.dialect = dialect
        self.in_table = in_table
        self.kinds = kinds_of(form)
        links = [_with_role(link, entry, dialect) for link in entry["links"] if link["url"]]
        self.links = _ordered(links, dialect)
        self._description, described = _describe(entry, in_table)
        is_described = "description" in self.kinds
        self.unused = [link for link in self.links if not is_described or link not in described]
        self.states: set[str] = set()
        self._needs_year = not in_table and "year" not in given and self.kinds.isdisjoint(_GIVES_YEAR)
        self.misfit = 0
        self.tags: list[str] = []  # the notes that are written as tags
        self.definition = ""  # the line elsewhere that has the URL
        self._quotes = any('"' in text for line in form for text in literals(line.parts))
        self._rows = sum(kind == "labels" for line in form for kind in kinds_in(line.parts))
        # A title that leads to the paper elsewhere does not lead to code where that has a place of its own.
        is_any = self.kinds.isdisjoint(("labels", "link")) or not is_cited(entry)
        self._main = (
            self._take(FormPart("link", "paper"), any_role=is_any, own=True) if "url" in self.kinds else None
        )

    def __call__(self, part: FormPart) -> str | None:
        """Return the value of a field; None if the entry has none."""
        value = self._value(part)
        if value is not None:
            self.states.add(part.kind)
        return value

    def _value(self, part: FormPart) -> str | None:
        kind, entry = part.kind, self.entry
        match kind:
            case "title":
                return self._title()
            case "name":
                is_stated = bool(entry["name"]) and entry["title"].startswith(entry["name"])
                is_left_out = is_stated and not self.dialect.repeats_names
                return None if is_left_out else self._text(entry["name"] or "")
            case "affiliations":
                return self._text(" & ".join(entry["affiliations"])) or self._unplaced_venue()
            case "url" if part.text == DEFINED and self._main:
                self.definition = f"[{self._title()}]: {self._url(self._main)}"
                return ""
            case "url":
                return self._url(self._main)
            case "labels":
                return self._labels(part)
            case "label":
                return self._label(part)
            case "link":
                return self._url(self._take(part))
            case "badge":
                own = entry["identifiers"].get("github")
                return part.text.replace(IDENTIFIER, escape(own)) if own else None
            case "doi":
                doi = entry["identifiers"].get("doi") or ""
                self.unused = [link for link in self.unused if not doi or not link["url"].endswith(doi)]
                return self._text(doi)
            case "arxiv":
                arxiv = self.dialect.vocabulary.venues.get("arxiv")
                is_preprint = arxiv is not None and entry["venue"] == arxiv.label
                number = entry["identifiers"].get("arxiv")
                return f"{part.text}{number}" if is_preprint and number else None
            case "authors":
                return self._text(self._people(part))
            case "description" if self._description:
                return self._ended(self._description)
            case "tags" if not self.tags:
                self.tags = [note for note in entry["notes"] if _TAG.fullmatch(note)]
                return part.text.join(self.tags) or None
            case "month":
                return self._month(part.text)
            case "acronym":
                venue = self.dialect.vocabulary.venue(entry["venue"] or "")
                is_short = venue is not None and venue.label in (self._venue(), venue.name)
                return None if venue is None or is_short else self._text(venue.label)
            case "venue" | "year" | "short_year" | "citation":
                return self._citation(kind)
            case _:
                return None

    def _unplaced_venue(self) -> str | None:
        """Return the venue with a year beside it where the list has only a place: `(NUS 2017)`."""
        if self.in_table or not self.kinds & {"year", "short_year"} or self.kinds & _STATES_VENUE:
            return None
        self.states.add("venue")
        return self._text(self._venue())

    def _text(self, text: str) -> str | None:
        return escape(text, in_table=self.in_table) if text else None

    def _url(self, link: Mapping[str, Any] | None) -> str | None:
        return destination(link["url"], in_table=self.in_table) if link else None

    def _title(self) -> str:
        title, name = self.entry["title"], self.entry["name"]
        if self._quotes:
            title = title.replace('"', "'")
        written = escape(title, in_table=self.in_table)
        is_named = not name or "name" in self.kinds or title.startswith(name)
        return written if is_named else f"({escape(name, in_table=self.in_table)}) {written}"

    # ------------------------------------------------------------------------------------------------------- links
    def _find(self, part: FormPart) -> Mapping[str, Any] | None:
        """Return the first link of a role, at a host that has the word before it: `github: `."""
        return next(
            (
                link
                for link in self.unused
                if part.text in (ANY, link["role"] or "")
                and all(word in registrable(host_of(link["url"])) for word in literals(part.parts))
            ),
            None,
        )

    def _take(self, part: FormPart, *, any_role: bool = False, own: bool = False) -> Mapping[str, Any] | None:
        """Return the link with a role and take it, the `own` one of a tool before it: its text is the title."""
        is_own = own and not is_cited(self.entry)
        titled = (link for link in self.unused if is_own and link["label"] == self.entry["title"])
        link = next(titled, None) or self._find(part) or next(iter(self.unused if any_role else ()), None)
        if link is not None:
            self.unused.remove(link)
        return link

    def left(self) -> list[Mapping[str, Any]]:
        """Return the links that have no place in the form, without more links to the paper than one."""
        papers = [link for link in self.links if link["role"] == "paper"]
        has_paper = any(link not in self.unused for link in papers)
        return [link for link in self.unused if not has_paper or link["role"] != "paper"]

    def _labels(self, part: FormPart) -> str | None:
        """Return the links of a row of labels; the last row has all that are left."""
        self._rows -= 1
        roles = part.text.split(" ")
        links = [link for link in self.unused if not self._rows or (link["role"] or "") in roles]
        style = self.dialect.house_style
        if part.parts:
            before, opening, closing, after = (mark.text for mark in part.parts)
            style = style._replace(label=(before, opening, closing, after))
        return self.write_row([link for link in links if not self._repeats_paper(link)], style)

    def _repeats_paper(self, link: Mapping[str, Any]) -> bool:
        """Return whether a link that an identifier gives would have the same words as the one to the paper before it."""
        first = next((other for other in self.links if other["role"] == "paper"), link)
        return link is not first and link["label"] in DERIVED_LABELS and self._words(link) != link["label"]

    def write_row(self, row: Sequence[Mapping[str, Any]], style: HouseStyle | None = None) -> str | None:
        """Return links as labels, in the brackets of a form or those that are usual; None if there are none."""
        self.unused = [link for link in self.unused if link not in row]
        if not row:
            return None
        if self.dialect.has_bare_links:
            return " ".join(self._url(link) or "" for link in row)
        # Two links to a repository, one of them a picture, would be the same label twice.
        written = [*dict.fromkeys((self._words(link), f"({self._url(link)})") for link in row)]
        return write_labels(written, style or self.dialect.house_style)

    def write_address(self, cell: FormPart) -> str:
        """Return the links that are left for a cell: the first one as the form has its own, with words or without, else all as labels."""
        left = self.left()
        if not left or kinds_in((cell,)) not in (["link"], ["label", "link"], ["title", "link"]):
            return self.write_row(left) or ""
        self.unused.remove(left[0])
        fields: dict[str, Fields] = {
            "label": lambda part: part.text if part.text in _ANY_LINK else self._words(left[0]),
            "title": self,
            "link": lambda part: self._url(left[0]),
        }
        return render((cell,), lambda part: fields[part.kind](part)) or ""

    def _words(self, link: Mapping[str, Any]) -> str:
        role = self.dialect.vocabulary.roles.get(link["role"] or "")
        if role is None:
            others = self.dialect.house_style.words.values()
            label = "Link" if link["label"] in (self.entry["title"], self.entry["name"]) else link["label"]
            is_small = label == "Link" and bool(others) and all(map(str.islower, others))
            return escape(label.lower() if is_small else label, in_table=self.in_table)
        known = self.dialect.host_words
        words = (
            known.get((role.id, host_of(link["url"])))
            or known.get((role.id, ""))
            or role_label(role, self.dialect.house_style, self.dialect.vocabulary)
        )
        if IDENTIFIER in words:
            words = words.replace(IDENTIFIER, next(iter(identify(link["url"]).values()), role.label))
        return role.label if _names_framework(words) else words

    def _label(self, part: FormPart) -> str | None:
        """Return the words of a link: those of the form, unless they may name another host."""
        link = self._find(part.parts[0])
        if link is None:
            return None
        if not part.text:
            return escape(link["url"], in_table=self.in_table)
        if part.text in (IDENTIFIER, ADDRESS):
            ids = identify(link["url"]).values() if part.text == IDENTIFIER else ()
            return escape(next(iter(ids), short_address(link["url"])), in_table=self.in_table)
        if part.parts[0].text == "paper":
            is_true = part.text.casefold() in NEUTRAL
        else:
            is_true = "![" not in part.text and not _names_framework(part.text)
        return part.text if is_true else self._words(link)

    # ------------------------------------------------------------------------------------------------------- facts
    def _people(self, part: FormPart) -> str:
        """Return authors as the form names them: all, or the first ones and `et al.`."""
        authors: Sequence[str] = self.entry["authors"]
        style = self.dialect.people
        cut = style._replace(last=style.between, pair=style.between)
        is_cut = bool(self.entry.get("et_al"))
        # One more is named where the list does so: two people are not `Stone et al.` beside `Wei & Chen`.
        named = part.named + (style.most == part.named + 1 == len(authors))
        if part.text and (len(authors) > named or is_cut):
            return _write_people(authors[: part.named], cut, part.turned) + part.text
        wants_cut = style.most is not None and (is_cut or len(authors) > style.most)
        self.misfit = _OTHER_PEOPLE * (named == part.named) if part.text else _TOO_MANY * wants_cut
        if is_cut and authors:
            return _write_people(authors, cut, part.turned) + ", et al."
        return _write_people(authors, style, part.turned) + ("".join(literals(part.parts)) if authors else "")

    def _ended(self, description: str) -> str:
        stop = self.dialect.description_stops[has_cjk(description)]
        return description if description.endswith(("!", "?", "…", "！", "？")) else description + stop

    def _month(self, mark: str) -> str | None:
        """Return year and month of a preprint; of what has none the year, unless another field states it."""
        year = self.entry["year"]
        match = _ARXIV_MONTH.match(self.entry["identifiers"].get("arxiv") or "")
        if match is not None and year is not None and int(match[1]) == year % 100:
            return f"20{match[1]}{mark}{match[2]}"
        return str(year) if year is not None and _STATES_YEAR.isdisjoint(self.kinds) else None

    def _citation(self, kind: str) -> str | None:
        year = self.entry["year"]
        venue = self._venue()
        if kind == "venue" and venue and year is not None and self._needs_year:
            self.states.add("year")
        elif kind == "venue":
            return self._text(venue)
        if kind in _STATES_VENUE:
            return self._text(" ".join(filter(None, (venue, str(year or "")))))
        if year is None:
            return None
        return f"{year % 100:02}" if kind == "short_year" and venue else str(year)

    def _venue(self) -> str:
        label: str | None = self.entry["venue"]
        year = self.entry["year"]
        if label is None:
            return YEAR_AT_END.sub("", self.entry["venue_text"] or "").strip()
        if workshop := workshop_name(self.entry, self.dialect.vocabulary):
            return workshop
        venue = self.dialect.vocabulary.venue(label)
        if venue is None:
            return label
        names = self.dialect.conventions.forms(Question(VENUE_NAME, venue.id))
        in_use = (
            name
            for name, _ in names.most_common()
            if venue.renamed(name, year)[0] is None and not PART.search(name)
        )
        if "acronym" in self.kinds:  # behind the full name
            is_word = " " not in venue.name
            return next((name for name in in_use if is_word or " " in name), venue.name)
        name = next(in_use, venue.label_in(year) if year else label)
        is_apart = is_of_findings(self.entry["venue_text"] or "", self.entry["identifiers"])
        return name.join(self.dialect.findings) if is_apart else name


def _describe(entry: ImportedEntry, in_table: bool) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the description without its full stop, with the links whose words it has, and those links: `see [its blog](u)`."""
    if marked := entry.get("description_markdown"):
        written = marked.replace("|", "\\|") if in_table else marked
        return written.rstrip(STOPS), [
            link for link in entry["links"] if stands_in(link["url"] or "-", marked)
        ]
    text = escape(entry["description"] or "", in_table=in_table).rstrip(STOPS)
    found: list[tuple[int, int, int]] = []
    for index, link in enumerate(entry["links"]):
        words = re.escape(escape(link["label"], in_table=in_table))
        # A label as `code` may be a word of the description by chance.
        is_telling = link["role"] is None or " " in link["label"]
        if index and link["url"] and is_telling and link["label"] not in (entry["title"], entry["name"]):
            at = re.search(rf"(?<!\w)(?<!^){words}(?!\w)", text, re.ASCII)
            found += [(*at.span(), index)] if at is not None else []
    written, done = "", 0
    described: list[Mapping[str, Any]] = []
    for start, end, index in sorted(found):
        if start >= done:
            link = entry["links"][index]
            address = destination(link["url"], in_table=in_table)
            written += f"{text[done:start]}[{text[start:end]}]({address})"
            described.append(link)
            done = end
    return written + text[done:], described


def _write_people(authors: Sequence[str], style: PeopleStyle, turned: int) -> str:
    """Return names as a list writes them; those of the first, or of each, may have the family name first."""
    families = [
        author.partition(",")[0].strip() if "," in author else author.split()[-1] for author in authors
    ]
    names = families if style.families else [given_first(author) for author in authors]
    if style.with_initials and not style.families:
        names = [_with_initials(name) for name in names]
    for index, family in enumerate(families[: len(families) if turned > 1 else turned]):
        given, found, rest = names[index].rpartition(f" {family}")
        if found and not rest and not names_organisation(authors[index]):
            names[index] = f"{family}, {given}"
    if len(names) < 2:
        return "".join(names)
    last = style.last if len(names) > 2 else style.pair
    return f"{style.between.join(names[:-1])}{last}{names[-1]}"


def _with_initials(name: str) -> str:
    *given, family = name.split()
    parts = [part.split("-") for part in given]
    if (
        not given
        or not given[-1][0].isupper()
        or not all(_GIVEN.fullmatch(each) for part in parts for each in part)
    ):
        return name
    initials = ("-".join(f"{each[0]}." for each in part) for part in parts if part[0][0].isupper())
    return " ".join([*initials, family])


def _names_framework(label: str) -> bool:
    """Return whether a label of code says more than that: `PyTorch (Author)`."""
    return _FRAMEWORKS.search(label) is not None


def _with_role(link: Mapping[str, Any], entry: ImportedEntry, dialect: Dialect) -> Mapping[str, Any]:
    """Return a link, that of no role which is called by the entry's title, or a tool's, as the project's page if the list has such links."""
    is_own = link["label"] in (entry["title"], entry["name"]) or (
        link["label"] == "Link" and not is_cited(entry)
    )
    is_page = is_own and link["role"] is None and "project" in dialect.house_style.words
    return {**link, "role": "project"} if is_page else link


def _ordered(links: Sequence[Mapping[str, Any]], dialect: Dialect) -> list[Mapping[str, Any]]:
    roles = list(dialect.vocabulary.roles)
    return sorted(
        links,
        key=lambda link: (
            dialect.role_order.get(link["role"] or "", 50.0),
            roles.index(link["role"]) if link["role"] in roles else len(roles),
        ),
    )
