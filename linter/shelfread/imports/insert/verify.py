"""Verifies that a list with new entries is the old one apart from them."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import MARKUP, Edit
from shelfread.core.errors import InputError
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.model import Document
from shelfread.fixes.verify.conservation import find_damage

_NUMBER = re.compile(r"^([ \t>]*)(\d{1,9})(?=[.)](?:[ \t]|$))")


def verify(before: Document, after: Document) -> None:
    """Raise InputError if anything but the inserted lines and the numbers of lists changed."""
    source, path = before.source, before.source.path
    old = [_NUMBER.sub(r"\1#", line) for line in source.lines]
    new = [_NUMBER.sub(r"\1#", line) for line in after.source.lines]
    aligned = align(old, new)
    kept = [line for line in aligned if line != GONE]
    if len(kept) != len(old):
        lost = next(line for line in range(len(old)) if line not in set(kept))
        raise InputError("nothing is inserted, because this line would change", path, lost + 1)
    edits: list[Edit] = []
    pending = ""
    last = -1
    for number, line in enumerate(aligned):
        text = after.source.lines[number]
        if line == GONE:
            pending += text + source.newline
            continue
        if pending:
            edits.append(Edit.insert(source.starts[line], pending))
            pending = ""
        if text != source.lines[line]:
            was, now = _NUMBER.match(source.lines[line]), _NUMBER.match(text)
            if was and now:
                start = source.starts[line]
                edits.append(Edit(start + was.start(2), start + was.end(2), now[2], MARKUP))
        last = line
    if pending:
        edits.append(
            Edit.insert(len(source.text) if last == len(old) - 1 else source.starts[last + 1], pending)
        )
    if damage := find_damage(before.tree, source.text, after.tree, after.source.text, edits):
        raise InputError(f"nothing is inserted, because more would change: {damage}", path)
