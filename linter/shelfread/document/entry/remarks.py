"""What a list says of a paper in words that no other field holds: its description."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED, blank_out, has_words
from shelfread.document.model import Entry, Field
from shelfread.document.plain_text import PlainText, TextLink, TextRange, render_plain_text
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import are_authors, are_named, is_list_of_people
from shelfread.document.years import find_year
from shelfread.taxonomy.vocabulary import Vocabulary

_EDGE = " \t\n.,:;*_-–—|()[]·•/"
_START = lazy(r"[\w\"“‘'(]")
_IDEOGRAPH = lazy(r"[\u3400-\u9fff\uac00-\ud7a3\u3040-\u30ff]")
# What ends a byline before a remark: `et al. (2013). `, or what a name means: `(Books And Shelves): `; or a date: `2024.11 `; or pages: `: 133-142. `; or
# how it was presented: `⭐ *Oral* — `
_CITED = lazy(
    r"[\s,:]{0,3}(?:(?:pp?\.|[Pp]ages|Article)\s?)?\d{1,6}(?:\s?[-–]{1,2}\s?\d{1,6})?\.\s"
    r"|[^\w\n]{0,9}(?:Oral|Spotlight|Highlight|Poster|Best Paper)(?:[ /]{1,3}(?:Best Paper|Award|Candidate|Finalist)){0,3}\s[-–—|]\s"
    r"|\s{0,3}(?:19|20)\d\d[./]\d{1,2}(?:[./]\d{1,2})?\s|[\s,]{0,3}\([^()\n]{2,80}(?:\)\s?(?:[:：]|[–—-](?=\s))|(?:19|20)\d\d[a-z]?\),?)\s|[\s,]{0,3}(?:et al\b\.?)?[\s,]{0,3}(?:\(?(?:19|20)\d\d[a-z]?(?:[-–](?:19|20)?\d\d)?\))?[.:,]?\s"
)
# `(Stone 2019) sorts books`, `"Tidy Shelves."`
_TORN = lazy(r"\W{0,3}(?:(?:19|20)\d\d[a-z]?\)|[\"“][^\"“”]{0,300}[\"”]\W{0,3}$)")
_OPENING = {"]": "[", "】": "【", "）": "（"}
_TAG = lazy(r"[ |·,.]*\[")  # `[books] [framework]`
_NUMBER = lazy(r"\s*\[\d")  # of a footnote: `[1] stands for`
_CITES = lazy(r"\bet\.? al\b|\b(?:vol|pp|no)\. ?\d|\b[Pp]roceedings\b")
_IN_BRACKETS = lazy(r"[(（\[【]([^()（）\[\]【】\n]{1,80})[)）\]】]")
_MIN_WORDS, _MIN_OF_SENTENCE, _MIN_OF_NOTE, _MIN_IDEOGRAPHS = 5, 3, 2, 7
SMALL_WORDS = frozenset("and are at by for in is of on or the to with".split())
_LEADS_ON = lazy(r"[\s.,;–—-]{1,9}[Ii]n\Z")  # `Sorts books. In [KDD 2014](u)`
_MARKS_LAST = lazy(r"(?<=\S)\s[^\w\s]{1,9}\s{0,9}$")  # `Ada Stone ✓`
_MAX_LINE = 3000
MAX_LAST_LABEL = 20  # the longest link behind a dash, a sentence or in brackets at the end of a text that is none of its words
_BEHIND_STOP = lazy(r"(?:\w[.!?]\s|[。！？]\s?)[\[(]{0,2}\Z")
_NEAR = 9
_ENCLOSED = lazy(r"\((?:[^()]|\([^()]{0,200}\)){0,300}\)|（[^（）]{0,300}）")


def with_remark(entry: Entry, vocabulary: Vocabulary) -> Entry:
    """Return a paper with the first prose of its lines that no field holds as its description, if there is any."""
    plain, unread = _unread(entry, vocabulary)
    behind = max((link.end for link in plain.links), default=len(unread))
    first_word = plain.offset(entry.title.span.start)
    offset = 0
    for piece in unread.replace("\n", CONSUMED).split(CONSUMED):
        start = cited.end() if (cited := _CITED.match(piece)) else 0
        is_tag = _TAG.match(piece) and (offset < first_word or _NUMBER.match(piece))
        is_remark = not is_tag and _TORN.match(piece, start) is None and is_prose(piece[start:])
        is_remark = is_remark or (offset >= behind and _is_note(piece.lstrip(" ])"), vocabulary))
        if is_remark and (first := _START.search(piece, start)):
            start = offset + first.start()
            if plain.text[start].islower() and unread[start - 1] != CONSUMED:
                start = _beginning(plain.text, unread, start)
            value = _LEADS_ON.sub("", plain.text[start : offset + len(piece)].rstrip(" \t,;([|-–—"))
            if value.count(value[-1:]) > value.count(_OPENING.get(value[-1:], value[-1:])):
                value = value[:-1]
            if _ENCLOSED.fullmatch(value):
                start, value = start + 1, value[1:-1]
            described = Field(" ".join(value.split()), plain.span(start, start + len(value)))
            return entry._replace(description=described, guessed=entry.guessed | {"description"})
        offset += len(piece) + 1
    return entry


def _beginning(text: str, unread: str, start: int) -> int:
    """Return where the sentence begins that goes on at an offset, behind a label or a field: `A talk ([video](u)) that sorts books.`"""
    line = max(text.rfind(mark, 0, start) + len(mark) for mark in ("\n", ". "))
    first = next((at for at in range(line, start) if text[at] not in _EDGE), start)
    before = text[first:start]
    # `Stone et al. (incl. Field), Oak Labs · read`
    is_torn = before.count("(") < before.count(")") or " · " in before
    return first if text[first].isupper() and unread[first] != CONSUMED and not is_torn else start


def find_remarks(entry: Entry, vocabulary: Vocabulary) -> list[str]:
    """Return what no field holds on the line of an entry's title: the words in brackets, `(free of charge)`, and code, as tags are written."""
    plain, unread = _unread(entry, vocabulary, frozenset(label.link.start for label in entry.links))
    texts = (match[1].replace(CONSUMED, "").strip(_EDGE) for match in _IN_BRACKETS.finditer(unread))
    said = {entry.citation.text} if entry.citation is not None else ()  # `(OSDI 20) [[OSDI 20](u)]`
    remarks = [
        text
        for text in texts
        if sum(map(str.isalpha, text)) > 1 and text not in said and vocabulary.role(text) is None
    ]
    tags = (unread[start:end] for start, end in plain.code)
    return remarks + [
        f"`{tag}`" for tag in tags if tag and not {CONSUMED, "`"} & {*tag} and tag not in remarks
    ]


def _unread(entry: Entry, vocabulary: Vocabulary, held: Container[int] = ()) -> tuple[PlainText, str]:
    """Return the line of an entry's title, and its text without fields, labels and the links at offsets; empty if it is long."""
    parts = () if entry.block.inlines else entry.block.blocks
    start = entry.title.span.start
    block = next((part for part in parts if part.start <= start < part.end), entry.block)
    plain = render_plain_text(block.inlines)
    if len(plain.text) > _MAX_LINE:
        return plain, ""
    unread = list(plain.text)
    for start, end in _taken(entry, plain, vocabulary, held):
        unread[start:end] = CONSUMED * (end - start)
    return plain, "".join(unread)


def is_prose(text: str) -> bool:
    """Return whether words that no field holds are a sentence, and no people, title or citation."""
    is_sentence = text.endswith(".") and text[:1].isupper()
    text = text.strip(_EDGE)
    if _CITES.search(text):
        return False
    if len(_IDEOGRAPH.findall(text)) >= _MIN_IDEOGRAPHS:
        return True
    words = text.split()
    return (
        len(words) >= (_MIN_OF_SENTENCE if is_sentence else _MIN_WORDS)
        and 2 * sum(map(str.islower, words)) >= len(words)
        and not is_list_of_people(text)
    )


def _is_note(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether words behind all links of a line are a note, however short: `Best paper award`.

    They are no tags in brackets, no people, and do not go on what stands before or behind them.
    """
    if _TAG.match(text) or text.count("[") != text.count("]") or text.count(")") > text.count("("):
        return False
    text = _MARKS_LAST.sub("", text)
    words = text.strip(_EDGE).split()
    if len(words) < _MIN_OF_NOTE or not SMALL_WORDS.isdisjoint((words[0], words[-1])):
        return False
    are_names = "," in text and not any(map(str.islower, words))
    bare = _IN_BRACKETS.sub(" ", text).strip(_EDGE)
    are_people = are_authors(bare) if bare else are_named(text.strip(_EDGE))
    is_field = find_year(text) or names_organisation(text) or are_people or vocabulary.role(text)
    return not (are_names or is_field or _CITES.search(text))


def _taken(
    entry: Entry, plain: PlainText, vocabulary: Vocabulary, held: Container[int]
) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the fields and labels of an entry in its line, and of the links at some offsets."""
    fields: Iterable[Field | None] = (
        entry.title,
        entry.name,
        entry.description,
        *entry.authors,
        *entry.affiliations,
        *entry.notes,
    )
    spans = [field.span for field in fields if field is not None]
    if entry.citation is not None:
        spans.append(entry.citation.span)
    for start, end in spans:
        first, last = plain.offset(start), plain.offset(end)
        if last > first:
            yield first, last
    behind = plain.offset(entry.title.span.end)
    for link in plain.links:
        label = plain.text[link.start : link.end]
        is_title = link.link.start < entry.title.span.end <= link.link.end
        behind = link.end if is_title else behind
        is_label = len(label.split()) < 4 or vocabulary.role(label) is not None
        if is_title or is_label or link.link.start in held:
            yield link.start, link.end
    yield from ((link.start, link.end) for link in links_behind_stop(plain))
    yield from tags_behind(plain, behind)
    yield from _lines_of_tags(plain)


def links_behind_stop(plain: PlainText) -> list[TextLink]:
    """Return the short links at the end of a line that stand behind a full stop: `Sorts books. [details](u)`."""
    found, end = list[TextLink](), len(plain.text)
    for link in reversed(plain.links):
        if link.end - link.start > MAX_LAST_LABEL or any(map(str.isalnum, plain.text[link.end : end])):
            break
        found.append(link)
        end = link.start
        if _BEHIND_STOP.search(plain.text, max(0, end - 5), end):
            return found
    return []


def _lines_of_tags(plain: PlainText) -> Iterator[tuple[int, int]]:
    """Yield the lines below the first that are nothing but code: `` `Method` `External` ``."""
    bare = blank_out(plain.text, [], plain.code) if plain.code else ""
    start = bare.find("\n") + 1
    while start:
        end = bare.find("\n", start)
        stop = end if end >= 0 else len(bare)
        if not has_words(bare[start:stop]):
            yield start, stop
        start = end + 1


def tags_behind(plain: PlainText, offset: int) -> Iterator[TextRange]:
    """Yield the tags in code at an offset that no words follow: ``[Tidy Shelves](u) `paper` - Sorts books.``"""
    for code in plain.code:
        if code.start >= offset and not any(map(str.isalnum, plain.text[offset : code.start])):
            offset = code.end
            if not plain.text[offset : offset + _NEAR].lstrip()[:1].isalnum():
                yield code
