"""`diff`: a list before and after a change, in each format. The input has both, parted by a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from fuzz.faults import Fault
from fuzz.generators.documents import make_text
from fuzz.generators.mutation import mutate
from fuzz.generators.noise import to_bytes
from fuzz.material import Material
from fuzz.properties.printed import fit_to_print
from shelfread.changes.review import Review, review
from shelfread.changes.revisions import WORK_TREE, Revision, Texts
from shelfread.cli.report import lines as lines_of
from shelfread.core.diagnostics import Severity
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.engine.model import RunRequest
from shelfread.project.config import EMPTY
from shelfread.project.history import BaseFile, BaseRevision
from shelfread.report.rendering import RenderContext
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load

BORDER = b"\n--- 8< ---\n"


def generate(random: Random, material: Material) -> bytes:
    """Return a list, and what a contributor made of it."""
    before = make_text(random, material)
    after = mutate(random, before, material.lists) if random.random() < 0.9 else make_text(random, material)
    return to_bytes(random, before) + BORDER + to_bytes(random, after)


def faults(data: bytes) -> Iterator[Fault]:
    """Compare both texts, and the second with itself."""
    before, _, after = data.partition(BORDER)
    found = compare(before, after)
    context = RenderContext(min_severity=Severity.INFO)
    for form in ("text", "markdown", "json"):
        lines = lines_of(found, context, form, "changes")
        report = "".join(f"{line}\n" for line in lines)
        yield from fit_to_print(f"diff {form}", report)
        if form == "json":
            json.loads(report)
    same = compare(after, after).comparison
    if same.added or same.removed or same.moved or same.changed:
        yield Fault("diff: a list differs from itself", repr(same)[:300])


def compare(before: bytes, after: bytes) -> Review:
    """Compare two texts of a list."""
    old: BaseFile | None = None
    with suppress(InputError):
        old = BaseFile("list.md", Source.from_bytes(before).text)
    base = BaseRevision("main", "0" * 40, {"list.md": old}, (), {"": frozenset({"list.md"})})
    request = RunRequest(("list.md",), (), select(EMPTY), load(), base=base)
    texts = Texts({"list.md": before}, {"list.md": after}, {}, [])
    return review(Revision("main", "0" * 40), WORK_TREE, texts, [request])
