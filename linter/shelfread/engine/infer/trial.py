"""Tries an inferred taxonomy on the lists that it was inferred from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.rulebook.binding import bind
from shelfread.rulebook.metadata import RuleMetadata
from shelfread.taxonomy.load import load


def count_findings(
    text: str, documents: Iterable[Document], rules: Iterable[RuleMetadata]
) -> Mapping[str, int]:
    """Return how many findings each rule of the preset `taxonomy` has with the taxonomy in `text`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "taxonomy.yaml"
        path.write_text(text, encoding="utf-8")
        taxonomy = load(str(path))
    documents = [read(document.source, taxonomy.vocabulary) for document in documents]
    context = build_context({document.source.path or "": facts(document) for document in documents}, taxonomy)
    bound = [bind(rule) for rule in rules if "taxonomy" in rule.presets]
    return Counter(finding.rule for document in documents for finding in lint(document, context, bound))
