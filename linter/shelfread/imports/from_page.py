"""Reads lists that were copied from a web page: the marks of Markdown are put back line by line, and that is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry_data import exported_entry
from shelfread.document.read import read as read_markdown
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.stated_venue import stated_arxiv_id
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "copied-page"
_BULLET = lazy(r"^(?P<indent>[ \t\u00a0]*)(?P<mark>[•◦▪▫‣⁃●○■□·∙⁌⁍➢➤►▸]|o(?=\t))[ \t\u00a0]*(?P<text>\S.*)$")
_NUMBER = lazy(
    r"^(?P<indent>[ \t\u00a0]*)(?P<mark>\d{1,3}(?:\.\d{1,3}){1,3}[.)]?|\d{1,3}[.)])[ \t\u00a0]+(?P<text>\S.*)$"
)
_LABEL = lazy(
    r"\[(?P<bracket>[^\]\[\n]{1,60})\](?!\()|(?<=\s)\((?P<parenthesis>[^()\n]{2,30})\)(?=\s*(?:[(\[]|$))"
)
_PIPED = lazy(
    r"(?:^|(?<=\s))(?P<labels>[\w-]{2,20}(?: [\w-]{2,12})?(?:\s?[|/·]\s?[\w-]{2,20}(?: [\w-]{2,12})?){1,20})\s*$"
)
_LAST_WORD = lazy(r"(?<=[)\]])\s+(?P<labels>[^\W\d_]{2,12}(?: [^\W\d_]{2,12})?)\s*$")
_JOINT = lazy(r"(\s?[|/·]\s?)")
_SPECIAL = lazy(r"[\\`<]|(?<!\w)[*_]|[*_](?!\w)|\*")
_ESCAPED = lazy(r"\\([\\`<*_])")
_TARGET = "label:"  # the destination of a label whose link was lost
_RESTORED = lazy(rf"\[\[([^\]\[]*)\]\({_TARGET}\)\]")
_SENTENCE = lazy(r"[.!?;,。]\s*$")
_LONGEST_HEADING = 80


def looks_like(text: str) -> bool:
    """Return whether one in five lines has a bullet as pages show them."""
    lines = [line for line in text.split("\n", 4000)[:4000] if line.strip()]
    bullets = sum(_BULLET.match(line) is not None for line in lines)
    return bullets > 0 and bullets * 5 >= len(lines)


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry]:
    """Yield the entries of a copied page at its own lines. A label without its link has the URL None."""
    text = "\n".join(_restored(source.lines, taxonomy.vocabulary))
    document = read_markdown(Source(text, source.path), taxonomy.vocabulary)
    for item in document.entries:
        entry = exported_entry(item, document, taxonomy)
        if entry["identifiers"]["arxiv"] is None:
            lines = source.lines[entry["line"] - 1 : entry["end_line"]]
            entry["identifiers"]["arxiv"] = stated_arxiv_id("\n".join(lines))
        for link in entry["links"]:
            if link["url"] == _TARGET:
                link["url"] = None
        notes = [_ESCAPED.sub(r"\1", _RESTORED.sub(r"[\1]", note)) for note in entry["notes"]]
        yield {**entry, "notes": notes, "dialect": KIND}


def _restored(lines: list[str], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the lines with the marks of Markdown that they had, one for one."""
    headings = _headings(lines)
    stack: list[
        tuple[int, str, int]
    ] = []  # the indentation, the mark and the restored column of each open item
    after_blank = True
    for index, raw in enumerate(line.replace("\u00a0", " ") for line in lines):
        line = raw.expandtabs(4)
        item = _BULLET.match(raw) or _NUMBER.match(raw)
        if index in headings:
            stack.clear()
            yield f"{'#' * headings[index]} {_escaped(line.strip(), vocabulary)}"
        elif item is not None:
            mark = item["mark"]
            indent = len(item["indent"].expandtabs(4))
            while stack and not _is_inside(indent, mark, stack):
                stack.pop()
            column = stack[-1][2] if stack else 0
            written = "-" if not mark[0].isdigit() else "1." if "." in mark[:-1] else mark
            stack.append((indent, mark if written == "-" else "1.", column + len(written) + 1))
            yield f"{' ' * column}{written} {_escaped(item['text'].strip(), vocabulary)}"
        elif not line.strip():
            yield ""
        else:
            indent = len(line) - len(line.lstrip())
            if after_blank and (not stack or indent <= stack[0][0]):
                stack.clear()
            yield f"{' ' * (stack[-1][2] if stack else 0)}{_escaped(line.strip(), vocabulary)}"
        after_blank = not line.strip()


def _is_inside(indent: int, mark: str, stack: list[tuple[int, str, int]]) -> bool:
    """Return whether an item is nested in the last open one: by its indentation, or else by its other bullet."""
    last_indent, last_mark, _ = stack[-1]
    kind = "1." if mark[0].isdigit() else mark
    if indent != last_indent:
        return indent > last_indent
    return kind != last_mark and all(kind != open_mark for _, open_mark, _ in stack)


def _headings(lines: list[str]) -> dict[int, int]:
    """Return the lines that are headings, by index, with their level: the page's title has 1, all others 2."""
    headings: list[int] = []
    written = [index for index, line in enumerate(lines) if line.strip()]
    following = dict(zip(written, [*written[1:], -1], strict=True))
    for before, index in pairwise([-2, *written]):
        line = lines[index].strip()
        if len(line) > _LONGEST_HEADING or _BULLET.match(lines[index]) or _NUMBER.match(lines[index]):
            continue
        if _SENTENCE.search(line) or "://" in line or lines[index][:1] in (" ", "\t"):
            continue
        after = following[index]
        if before < index - 1 and after > 0 and (after > index + 1 or _BULLET.match(lines[after])):
            headings.append(index)
    has_title = (
        len(headings) > 1 and headings[0] == written[0] and not _BULLET.match(lines[following[headings[0]]])
    )
    return {index: 1 if index == headings[0] and has_title else 2 for index in headings}


def _escaped(text: str, vocabulary: Vocabulary) -> str:
    """Return the text of a line with what Markdown would take for marks escaped, and its labels as links."""
    text = _SPECIAL.sub(lambda match: "\\" + match[0], text)
    text = _PIPED.sub(lambda match: _piped(match, vocabulary), text)
    text = _LAST_WORD.sub(lambda match: " " + _piped(match, vocabulary).strip(), text)
    return _LABEL.sub(lambda match: _linked(match, vocabulary), text)


def _linked(match: re.Match[str], vocabulary: Vocabulary) -> str:
    """Return a label as a link without its address, if it is known."""
    label = (match["bracket"] or match["parenthesis"]).strip()
    return f"[[{label}]({_TARGET})]" if vocabulary.role(label) is not None else match[0]


def _piped(match: re.Match[str], vocabulary: Vocabulary) -> str:
    """Return labels that only strokes part (`Paper | Code`) in brackets, if all of them are known."""
    parts = _JOINT.split(match["labels"])
    if all(vocabulary.role(label) is not None for label in parts[::2]):
        return " ".join(f"[{label}]" for label in parts[::2])
    return match[0]
