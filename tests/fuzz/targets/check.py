"""`check`: any bytes, all rules, every format."""

from __future__ import annotations

from collections.abc import Iterator

from fuzz import commands
from fuzz.faults import Fault
from fuzz.generators.documents import make_document as generate
from fuzz.properties.reports import unreadable_reports
from shelfread.core.source import Source
from shelfread.engine.check import CheckOptions, check, merge_results
from shelfread.engine.model import RunResult
from shelfread.project.files import STDIN

__all__ = ["faults", "generate", "grow"]


def faults(data: bytes) -> Iterator[Fault]:
    """Check a list as people do, and read all reports again."""
    yield from commands.for_people("check", "--isolated", "-", input=data)
    yield from commands.for_people(
        "check", "--isolated", *commands.ALL_RULES, "--show-info", "-", input=data, workflow=True
    )
    run = run_check(data)
    for result in run.files:
        yield from _wrong_places(result.source, run)
    yield from unreadable_reports(run)


def run_check(data: bytes, **options: object) -> RunResult:
    """Return the result of all rules over a list."""
    asked = CheckOptions(
        paths=["-"], isolated=True, presets=commands.ALL_RULES[1].split(","), show_info=True,
        output_format="sarif",  # whose findings have fingerprints
    )._replace(**options)  # fmt: skip
    results, errors = check(asked, {STDIN: data}, commands.uncounted)
    return merge_results((result.run for result in results), errors)


def grow(text: str) -> object:
    """Check a long list."""
    return run_check(text.encode("utf-8", "replace"))


def _wrong_places(source: Source, run: RunResult) -> Iterator[Fault]:
    size = len(source.text)
    for found in (found for result in run.files for found in result.diagnostics):
        edits = found.fix.edits if found.fix else ()
        for start, end in (found.span, *((edit.start, edit.end) for edit in edits)):
            if not 0 <= start <= end <= size:
                yield Fault(f"check: a place outside of the text ({found.rule})", f"{start}:{end} of {size}")
