"""All features at random places of texts that are read in odd ways."""

from __future__ import annotations

from random import Random

import pytest

from shelfread.core.diagnostics import Span
from shelfread.rulebook.metadata import load_rules
from shelfread.server.cross_references import find_definitions, find_references
from shelfread.server.hover import hover
from shelfread.server.rename_section import RenameError, prepare_rename, rename
from support.markdown_upstream import odd_text
from support.marked import Marked, read_marked
from support.project import read_text

RULES = load_rules()
NAMES = ["New", "x", "a b c", "漢 😀", "# H", "[y]", "*a", "", "- [", "`", "<b>", "T\n---", "&amp;", "\\"]
EXTRA = (
    "\n\n# H\n\n[a](#h) [b][x] [x] ![c][x] [h](#h-1) <a href='#h'>H</a> [H](b.md#h)\n\n## H\n\n[x]: #h-1\n"
)


def is_inside(marked: Marked, path: str, span: Span) -> bool:
    return 0 <= span.start <= span.end <= len(marked.documents[path].source.text)


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_every_feature_has_an_answer(first: int) -> None:
    for seed in range(first, first + 20):
        answers(seed)


def answers(seed: int) -> None:
    random = Random(seed)
    texts = {"a.md": odd_text(random) + random.choice(["", EXTRA]), "b.md": odd_text(random) + EXTRA}
    marked = read_marked(texts)
    document, documents, context = marked.document, marked.documents, marked.context
    for _ in range(8):
        offset = random.randrange(len(document.source.text) + 1)
        shown = hover(document, context, (), RULES, offset)
        assert shown is None or (shown.text.strip() and shown.span.start <= offset <= shown.span.end)
        places = find_definitions(document, context, offset)
        places += find_references(document, context, offset, with_declaration=True)
        assert all(is_inside(marked, *place) for place in places)
        found = prepare_rename(document, documents.get, context, offset)
        try:
            edits = rename(document, documents.get, context, offset, random.choice(NAMES))
        except RenameError:
            continue
        assert found is not None and found.name and found.span.start <= offset <= found.span.end
        assert all(is_inside(marked, path, Span(*edit[:2])) for path, own in edits.items() for edit in own)
        for path, text in marked.edited(edits).items():
            assert len(read_text(text).links) == len(documents[path].links)
