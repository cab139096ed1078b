"""A document after the edits of a renaming, verified as fixes are."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.diagnostics import Edit
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fixes.apply import arrange_edits, edit_source
from shelfread.fixes.verify.conservation import find_damage
from shelfread.fixes.verify.flaws import find_new_flaw
from shelfread.server.features.rename.name import RenameError
from shelfread.taxonomy.vocabulary import Vocabulary


def read_verified(document: Document, edits: Iterable[Edit], vocabulary: Vocabulary) -> Document:
    """Return a document after edits; raises RenameError if they change more than they declare."""
    source = document.source
    ordered = arrange_edits(source, edits)
    after = read(edit_source(source, ordered), vocabulary)
    damage = find_damage(document.tree, source.text, after.tree, after.source.text, ordered)
    reason = damage[0].reason if damage else find_new_flaw(source.text, ordered)
    if reason:
        raise RenameError(f"the new name cannot be written in {source.path or 'the list'}: {reason}")
    return after
