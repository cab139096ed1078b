"""What is added to a taxonomy, in words."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.plurals import counted
from shelfread.mapping.adopt import Adoption
from shelfread.report.terminal import printable

_MAX_REFUSED = 10


def render(adoption: Adoption, *, is_written: bool) -> Iterator[str]:
    """Yield what was added, or would be, to which files; then the headings that are left alone."""
    proposals = adoption.proposals
    if proposals.is_empty:
        yield "Nothing to add: the taxonomy knows all headings."
    else:
        counts = (
            counted(len(proposals.concepts), "concept") if proposals.concepts else "",
            counted(len(proposals.labels), "label") if proposals.labels else "",
        )
        verb = "added to" if is_written else "would be added to"
        yield f"{' and '.join(filter(None, counts))} {verb} {printable(adoption.changes[0].path)}"
        for change in adoption.changes[1:]:
            names = "names" if is_written else "would name"
            yield f"{printable(change.path)}: {names} it"
    if adoption.hint:
        yield f"Next: {printable(adoption.hint)}"
    for heading, reason in proposals.refused[:_MAX_REFUSED]:
        yield f"left alone: {printable(f'{heading.path}:{heading.line}')} '{printable(heading.title)}': {printable(reason)}"
    if len(proposals.refused) > _MAX_REFUSED:
        yield f"left alone: {counted(len(proposals.refused) - _MAX_REFUSED, 'more heading')}"
