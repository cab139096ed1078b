"""What differs between two taxonomies, for people and for programs, and what was added to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.wording import counted
from shelfread.mapping.adopt import Adoption
from shelfread.report.rendering import TerminalStyle, dumps, printable
from shelfread.taxonomy.concept import Concept, Label
from shelfread.taxonomy.taxonomy_difference import LabelChange, PropertyChange, TaxonomyDifference

_COLOURS = {"+": "green", "-": "red", "~": "yellow"}
_MAX_REFUSED = 10


def changes_text(difference: TaxonomyDifference, style: TerminalStyle) -> Iterator[str]:
    """Yield a line for each difference, by kind, and a summary."""
    for title, lines in (
        ("Added", [f"+ {_named(concept)}" for concept in difference.added]),
        (
            "Removed",
            [f"- {_named(each.concept)}{_replaced(each.replaced_by)}" for each in difference.removed],
        ),
        (
            "Renamed",
            [f"~ {id}: '{old}' is '{new}' ({language})" for id, language, old, new in difference.renamed],
        ),
        ("Labels", list(map(_label_line, difference.labels))),
        ("Relations", [line for change in difference.relations for line in _change_lines(change)]),
        ("Other properties", [line for change in difference.others for line in _change_lines(change)]),
        ("Order", ["~ the concepts are in another order"] if difference.reordered else []),
    ):
        if lines:
            yield style.paint(title, "bold")
            for line in lines:
                yield f"  {style.paint(line[0], _COLOURS[line[0]])}{printable(line[1:])}"
    yield _summary(difference)


def changes_json(difference: TaxonomyDifference, base: str, head: str) -> str:
    """Return the differences as JSON text; a change of its structure changes `version`."""
    return dumps(
        {
            "version": 1,
            "base": base,
            "head": head,
            "added": [{"id": each.id, "prefLabel": each.label} for each in difference.added],
            "removed": [
                {
                    "id": each.concept.id,
                    "prefLabel": each.concept.label,
                    "replaced_by": list(each.replaced_by),
                }
                for each in difference.removed
            ],
            "renamed": [each._asdict() for each in difference.renamed],
            "labels": [
                {
                    "label": label.text,
                    "language": label.language,
                    "before": _place(label.before),
                    "after": _place(label.after),
                }
                for label in difference.labels
            ],
            "relations": [each._asdict() for each in difference.relations],
            "others": [each._asdict() for each in difference.others],
            "reordered": difference.reordered,
        }
    )


def _named(concept: Concept) -> str:
    below = f", below {', '.join(concept.broader)}" if concept.broader else ""
    return f"{concept.id} ({concept.label}){below}"


def _replaced(ids: tuple[str, ...]) -> str:
    return f": its label is one of {', '.join(ids)} now" if ids else ""


def _label_line(change: LabelChange) -> str:
    label = f"'{change.text}' ({change.language})"
    before, after = change.before, change.after
    if before is not None and after is not None:
        was, now = (
            f"{'an' if side.kind[0] in 'ai' else 'a'} {side.kind} of {side.concept}"
            for side in (before, after)
        )
        return f"~ {label} is {now}, was {was}"
    sign, side = ("-", before) if after is None else ("+", after)
    return f"{sign} {side.concept}: {side.kind} {label}" if side is not None else ""


def _change_lines(change: PropertyChange) -> Iterator[str]:
    yield from (f"- {change.id}: {change.property} {value}" for value in change.removed)
    yield from (f"+ {change.id}: {change.property} {value}" for value in change.added)


def _summary(difference: TaxonomyDifference) -> str:
    if difference.is_empty:
        return "No differences."
    counts = (
        (len(difference.added), "concept added", "concepts added"),
        (len(difference.removed), "removed", "removed"),
        (len(difference.renamed), "renamed", "renamed"),
        (len(difference.labels), "label changed", "labels changed"),
        (len(difference.relations) + len(difference.others), "property changed", "properties changed"),
    )
    parts = [counted(number, one, many) for number, one, many in counts if number]
    return f"{', '.join(parts) or 'The order changed'}."


def _place(label: Label | None) -> dict[str, str] | None:
    return {"concept": label.concept, "kind": label.kind} if label else None


def adoption_text(adoption: Adoption, *, is_written: bool) -> Iterator[str]:
    """Yield what was added, or would be, to which files; then the headings that are left alone."""
    proposals = adoption.proposals
    if proposals.is_empty:
        yield f"Nothing to add{'' if proposals.refused else ': the taxonomy knows all headings'}."
    else:
        added = Counter("relation" if each.kind == "broader" else "label" for each in proposals.labels)
        counts = {"concept": len(proposals.concepts), **added}
        said = " and ".join(counted(number, name) for name, number in counts.items() if number)
        verb = "added to" if is_written else "would be added to"
        yield f"{said} {verb} {printable(adoption.changes[0].path)}"
        for change in adoption.changes[1:]:
            names = "names" if is_written else "would name"
            yield f"{printable(change.path)}: {names} it"
    for heading, reason in proposals.refused[:_MAX_REFUSED]:
        yield f"left alone: {printable(f'{heading.path}:{heading.line}')} '{printable(heading.title)}': {printable(reason)}"
    if len(proposals.refused) > _MAX_REFUSED:
        yield f"left alone: {counted(len(proposals.refused) - _MAX_REFUSED, 'more heading')}"
