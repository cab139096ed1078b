"""An inferred taxonomy tried on the lists that it was inferred from."""

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


def findings(text: str, documents: Iterable[Document], cards: Iterable[RuleMetadata]) -> Mapping[str, int]:
    """How often each rule of the preset `taxonomy` speaks by a taxonomy."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "taxonomy.yaml"
        path.write_text(text, encoding="utf-8")
        taxonomy = load(str(path))
    anew = [read(document.source, taxonomy.vocabulary) for document in documents]
    context = build_context({document.source.path or "": facts(document) for document in anew}, taxonomy)
    rules = [bind(card) for card in cards if "taxonomy" in card.presets]
    return Counter(one.rule for document in anew for one in lint(document, context, rules))
