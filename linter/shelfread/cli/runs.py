"""What all runs over projects have in common: how many processes, fixes written, what is said of files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shelfread.cli import output
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.run import FileResult, Run
from shelfread.project.exclusions import EXCLUDED, VENDORED
from shelfread.project.files import Project

if TYPE_CHECKING:
    from shelfread.taxonomy.vocabulary import Vocabulary


def processes(project: Project) -> int:
    """As many processes as have something to do: one starts in the time that a megabyte takes to read."""
    sizes = (os.path.getsize(path) for path in (*project.reported, *project.others) if os.path.isfile(path))
    megabytes = sum(sizes) >> 20
    if megabytes < 2:
        return 1
    able = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(able, megabytes)


def merged(runs: Sequence[Run], errors: Sequence[UserError]) -> Run:
    """Several projects' runs as one; `errors` are of what PATH names."""
    return Run(
        tuple(outcome for one in runs for outcome in one.outcomes),
        (*errors, *(error for one in runs for error in one.errors)),
        tuple(note for one in runs for note in one.notes),
        next((one.since for one in runs if one.since), ""),
        remarks=tuple(dict.fromkeys(remark for one in runs for remark in one.remarks)),
    )


def complain_of(whole: Run) -> None:
    """Say which files could not be read or written, and what a change did to its own judges."""
    for error in whole.errors:
        output.print_error(str(error))
    for note in whole.notes:
        output.print_error(f"{note} (this file was left out)")
    for remark in whole.remarks:
        output.print_error(remark)


def write(one: Run, unsaved: Mapping[str, bytes]) -> Run:
    """Write what was fixed; an outcome then speaks of the new text, or as before where writing failed."""
    errors = list(one.errors)
    outcomes = []
    for outcome in one.outcomes:
        try:
            outcomes.append(_written(outcome, unsaved))
        except UserError as error:
            errors.append(error)
            outcomes.append(outcome._replace(fixed=None))
    return one._replace(outcomes=tuple(outcomes), errors=tuple(errors))


def _written(outcome: FileResult, unsaved: Mapping[str, bytes]) -> FileResult:
    fixed, source = outcome.fixed, outcome.source
    if fixed is None:
        return outcome
    if fixed.text != source.text and outcome.path not in unsaved:
        from shelfread.core.atomic_write import write_atomically

        before, after = source.to_bytes(source.text), source.to_bytes(fixed.text)
        write_atomically(Path(outcome.path), after, expected=before)
    return outcome._replace(source=Source(fixed.text, source.path, source.bom), diagnostics=fixed.remaining)


def with_prints(one: Run, vocabulary: Vocabulary) -> Run:
    """The run with the fingerprints of what is left to say."""
    from shelfread.document.read import read
    from shelfread.engine.fingerprint import fingerprints

    return one._replace(
        outcomes=tuple(
            outcome._replace(prints=fingerprints(read(outcome.source, vocabulary), outcome.diagnostics))
            for outcome in one.outcomes
        )
    )


def say_left(projects: Sequence[Project]) -> None:
    """What is left alone, where nobody would expect it, or where nothing else is left."""
    nothing = not any(project.reported for project in projects)
    for project in projects:
        for one in project.left:
            if nothing or one.why not in (EXCLUDED, VENDORED):
                output.print_error(f"{one.path}: {one.why}")
        if nothing and not project.left and (project.config.include or project.config.exclude):
            raise project.config.fail("no Markdown that PATH names is let in", ["include"])
