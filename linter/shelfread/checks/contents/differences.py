"""What a table of contents omits, points to, orders or words otherwise than the headings of its page."""

from __future__ import annotations

from shelfread.checks.contents.coverage import Listing
from shelfread.checks.contents.insertion import Line, new_lines
from shelfread.checks.contents.omitted import omitted
from shelfread.checks.contents.order import out_of_heading_order, repeated, worded_otherwise
from shelfread.checks.contents.renamed import renamed
from shelfread.checks.contents.wrong_target import misdirected
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity


def differences(listing: Listing) -> RawDiagnostics:
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    yield from misdirected(listing)
    yield from renamed(listing)
    missing = omitted(listing)
    lines = new_lines(listing.writer, [index for index in missing if not listing.is_misnamed(index)])
    for index in missing:
        yield _missing(listing, index, lines.get(index))
    for part in listing.contents.parts:
        yield from repeated(listing, part)
        yield from out_of_heading_order(listing, part)
    yield from worded_otherwise(listing)


def _missing(listing: Listing, index: int, line: Line | None) -> RawDiagnostic:
    heading = listing.headings[index]
    generator = next((part.generator for part in listing.contents.parts if part.generator), "")
    values = {"heading": heading.title, "generator": generator}
    edits, applicability = line or ((), Applicability.SAFE)
    message = "missing-generated" if generator else "missing"
    # The heading may be wrong too, so this does not replace what other rules say of it.
    return RawDiagnostic(heading.span, values, edits, applicability, Severity.WARNING, message, precedence=0)
