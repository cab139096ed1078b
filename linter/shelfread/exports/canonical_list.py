"""Entries as a Markdown list in two canonical styles, bracket links for papers and `- [Name](url) - Description.` for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.patterns import lazy
from shelfread.document.entry_data import stands_in
from shelfread.document.identity import PAPER_IDS, address_of_ids
from shelfread.exports.cited_work import (
    EntryData,
    is_harmless,
    is_paper,
    people,
    plain,
    short_venue,
    tells_nothing,
)
from shelfread.format.house_style import ANY_LINK
from shelfread.markdown.html import destination, escape
from shelfread.taxonomy.vocabulary import Vocabulary

# What may end a title: strong emphasis shows where it ends.
_UNCLEAR_END = lazy(r"[.?!][\"”]? |[()\[\]]|^[\"'“‘]| [-–—|｜] ")
_WORD = lazy(r"\w+")
# What begins a tag, a comment or a picture in a note, which keeps the rest of its Markdown.
_RAW = lazy(r"<(?![A-Za-z][A-Za-z0-9+.-]+:)(?=[A-Za-z/!?])|!(?=\[)")
_DEEPEST = 6
_LONGEST_LABEL = 40  # what is longer is no label, but a title


def markdown(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield a heading for each section, and the items of its entries."""
    yield "<!-- Exported by shelfread. -->"
    above: Sequence[str] = ()
    empty = False
    for entry, vocabulary in entries:
        section = [plain(title) for title in entry["section"]]
        if section != above or not empty:
            yield ""
        if section != above:
            yield from _headings(section, above)
            above = section
        empty = True
        yield from _item(entry, vocabulary)


def _item(entry: EntryData, vocabulary: Vocabulary) -> Iterator[str]:
    if is_paper(entry) and _reads_as_paper(entry):
        yield f"- {' '.join(_paper(entry, vocabulary))}"
        if entry["description"]:  # behind the labels, a few words may be people
            yield f"  - Description: {_description(entry)}"
    else:
        yield f"- {_classic(entry, vocabulary)}"
    if entry["authors"]:
        yield f"  - Authors: {escape(people(entry))}"
    if entry["affiliations"]:
        yield f"  - Affiliations: {escape(' & '.join(map(plain, entry['affiliations'])))}"
    for note in entry["notes"]:
        shown = _RAW.sub(r"\\\g<0>", plain(note))
        yield f"  - {shown}"
    yield from (f"  <!-- {comment} -->" for comment in entry.get("comments", ()))


def _reads_as_paper(entry: EntryData) -> bool:
    """Return whether an entry has what shows a paper behind its title, or no link. A book by people is linked by its title."""
    states = entry["venue_text"] or entry["year"] or any(entry["identifiers"].get(kind) for kind in PAPER_IDS)
    return bool(states) or not entry["links"] or any(link["role"] == "paper" for link in entry["links"])


def _headings(section: Sequence[str], above: Sequence[str]) -> Iterator[str]:
    same = 0
    while same < min(len(section) - 1, len(above)) and section[same] == above[same]:
        same += 1
    for level, title in enumerate(section[same:], start=same + 1):
        yield f"{'#' * min(level, _DEEPEST)} {escape(title)}"
        yield ""


def _paper(entry: EntryData, vocabulary: Vocabulary) -> Iterator[str]:
    title, name = plain(entry["title"]), plain(entry["name"] or "")
    is_bare = not entry["links"] and not entry["venue_text"]
    written = f"**{escape(title)}**" if _UNCLEAR_END.search(title) or is_bare else escape(title)
    yield f"({escape(name)}) {written}" if name and not title.startswith(name) else written
    known, year = vocabulary.venue(entry["venue"] or ""), entry["year"]
    venue = short_venue(plain(entry["venue_text"] or ""), known, year)
    if year is not None and str(year) not in venue:
        is_short = venue.endswith(f"{year % 100:02}") and not venue[-3:].isdigit()  # `OSDI'20`
        venue = venue if is_short else f"{venue} {year}".strip()
    if venue:
        yield f"({escape(venue)})"
    yield from (f"[[{label}]({url})]" for label, url in _labels(entry["links"], entry, vocabulary))
    if not entry["links"] and (url := address_of_ids(entry["identifiers"])):
        yield f"[[Paper]({destination(url)})]"


def _classic(entry: EntryData, vocabulary: Vocabulary) -> str:
    name, links = escape(plain(entry["title"])), [link for link in entry["links"] if _leads_on(link["url"])]
    is_linked = bool(links) and not _tells_more(links[0], entry, vocabulary)
    written = f"[{name}]({destination(links[0]['url'])})" if is_linked else f"**{name}**"
    if entry["year"] is not None:
        written += f" ({entry['year']})"
    if entry["description"]:
        written += f" - {_description(entry)}"
    inside = entry.get("description_markdown", "")
    further = [link for link in links if not (is_linked and link["url"] == links[0]["url"])]
    further = [link for link in further if not stands_in(link["url"], inside)]
    others = ", ".join(f"[{label}]({url})" for label, url in _labels(further, entry, vocabulary))
    return f"{written} ({others})" if others else written


def _description(entry: EntryData) -> str:
    """Return the Markdown of a description, in which nothing is HTML."""
    marked = entry.get("description_markdown")
    return plain(marked) if marked else escape(plain(entry["description"]))


def _tells_more(link: Mapping[str, Any], entry: EntryData, vocabulary: Vocabulary) -> bool:
    """Return whether the label of an entry's first link says what neither its title nor its address does: `Class Notes`."""
    label, role = plain(link["label"]), link["role"]
    known = vocabulary.role("", link["url"])
    is_said = role is not None and (role == "project" or (known is not None and known.id == role))
    called = (_words(entry["title"]), _words(entry["name"] or entry["title"]))
    is_label = label not in ("", link["url"]) and len(label) <= _LONGEST_LABEL
    is_label = is_label and label.casefold() not in ANY_LINK
    return (
        is_label
        and not is_said
        and not any(_words(label) in each or each in _words(label) for each in called)
    )


def _labels(
    links: Sequence[Mapping[str, Any]], entry: EntryData, vocabulary: Vocabulary
) -> Iterator[tuple[str, str]]:
    """Yield the label and the destination of links, each address once; one whose label is the title, or the first one's words of it, is called what it leads to."""
    title, name = _words(entry["title"]), _words(entry["name"] or entry["title"])
    first = {link["url"]: link for link in reversed(links)}
    for link in links:
        label = plain(link["label"])
        if first[link["url"]] is not link or not _leads_on(link["url"]):
            continue
        if label == link["url"] and label in (entry["description"] or ""):
            continue  # it is a link already
        role = vocabulary.roles.get(link["role"]) if link["role"] else None
        words = _words(label)
        is_part = link is entry["links"][0] and (words.startswith(title) or (bool(role) and words in title))
        is_title = label == link["url"] or words in (title, name) or is_part
        if tells_nothing(label) or is_title or len(label) > _LONGEST_LABEL:
            label = role.label if role else "Link"
        yield escape(label), destination(link["url"])


def _leads_on(url: str) -> bool:
    """Return whether an address leads somewhere from another page, too: no `#anchor` of the list, and no `???`."""
    return is_harmless(url) and not url.startswith("#") and any(map(str.isalnum, url))


def _words(text: str) -> str:
    """Return the words of a text between blanks, so that one can be looked for in another."""
    return f" {' '.join(_WORD.findall(plain(text).lower()))} "
