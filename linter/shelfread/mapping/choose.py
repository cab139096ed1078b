"""Which bundled taxonomy knows the subjects of lists best."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.mapping.headings import find_headings
from shelfread.taxonomy.load import load
from shelfread.taxonomy.merge import bundled_names

_MIN_GAIN = 0.05
"""A taxonomy that extends another is only chosen if it knows so much larger a share of the headings."""


class Comparison(NamedTuple):
    """How many of the headings each bundled taxonomy knows, the best one first."""

    known: dict[str, int]
    headings: int

    @property
    def best(self) -> str:
        return next(iter(self.known))


def choose_bundled(documents: Sequence[Document], context: RuleContext) -> Comparison:
    """Return how many headings that may name a subject the bundled taxonomies know.

    Of two that know nearly the same, the smaller one comes first.
    """
    known: dict[str, int] = {}
    sizes: dict[str, int] = {}
    total = 0
    for name in bundled_names():
        taxonomy = load(name)
        if not taxonomy.concepts:
            continue  # forms alone
        subjects = find_headings(documents, context, taxonomy).subjects
        known[name] = sum(each.found.is_known for each in subjects)
        sizes[name] = len(taxonomy.concepts)
        total = len(subjects)
    most = max(known.values(), default=0)
    good = {name for name, count in known.items() if most - count <= _MIN_GAIN * total}
    ranked = sorted(known, key=lambda name: (name not in good, sizes[name] if name in good else -known[name]))
    return Comparison({name: known[name] for name in ranked}, total)
