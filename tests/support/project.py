"""Small projects for tests of checks: texts by path, read and surveyed, and one check's places in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Diagnostic, Fix, RawDiagnostic, apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import format_message
from shelfread.fixes.rounds import FixResult, fix_text
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import BoundRule, bind, load_rules
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

LIST = "list.md"
BARE = load(None)


class Found(NamedTuple):
    """A place with what stands there, and the text as the place's edits would leave it."""

    path: str
    line: int
    text: str
    place: RawDiagnostic
    fixed: str


def read_project(
    texts: str | Mapping[str, str], taxonomy: Taxonomy = BARE
) -> tuple[dict[str, Document], RuleContext]:
    """The documents of a project and its context."""
    named = {LIST: texts} if isinstance(texts, str) else texts
    documents = {path: read(Source(text, path), taxonomy.vocabulary) for path, text in named.items()}
    return documents, build_context({path: facts(document) for path, document in documents.items()}, taxonomy)


def run(
    check: Callable[..., Iterator[RawDiagnostic]],
    texts: str | Mapping[str, str],
    taxonomy: Taxonomy = BARE,
    **options: object,
) -> list[Found]:
    """What a check finds in a project, file by file."""
    documents, whole = read_project(texts, taxonomy)
    found = []
    for path, document in documents.items():
        for place in check(document, whole, **options):
            text = document.source.text
            fixed = apply_edits(text, place.edits)
            line = document.source.position(place.span.start)[0]
            found.append(Found(path, line, text[slice(*place.span)], place, fixed))
    return found


def fixed(check: Callable[..., Iterator[RawDiagnostic]], text: str, unsafe: bool = False) -> FixResult:
    """The text as the fixer leaves it, with conservation."""

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        documents, context = read_project(source.text)
        found = [
            Diagnostic(
                "x/y",
                place.severity,
                "",
                LIST,
                place.span,
                Fix(place.edits, Applicability.SAFE if place.safe else Applicability.UNSAFE)
                if place.edits
                else None,
            )
            for place in check(documents[LIST], context)
        ]
        return documents[LIST].tree, found

    return fix_text(Source(text, LIST), diagnose, unsafe=unsafe)


def message_of(rule: str, raw: RawDiagnostic) -> str:
    """Return the text of a diagnostic, from the page of its rule."""
    return format_message(_bound(rule), raw.message, raw.values)


@cache
def _bound(rule: str) -> BoundRule:
    return bind(load_rules()[rule])


def read_text(text: str) -> Document:
    """Return the document of a text."""
    return read(Source.from_bytes(text.encode(), "list.md"), BARE.vocabulary)
