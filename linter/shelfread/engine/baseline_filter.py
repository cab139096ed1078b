"""A run that leaves out what a baseline knows, wherever it stands by now."""

from __future__ import annotations

from collections import Counter

from shelfread.engine.fingerprint import Fingerprint, split
from shelfread.engine.run import Run, RunRequest, run


def run_without(order: RunRequest, jobs: int, known: Counter[Fingerprint]) -> Run:
    """A run whose findings the baseline does not know; what it knows of this project goes from `known`.

    Entries move from file to file, so that all files share one stock; before anything is mended it is
    known which file has what of it, as none may be mended at the cost of another.
    """
    first = run(order._replace(mend=False, prints=True), jobs)
    found = [pair for one in first.outcomes for pair in zip(one.prints, one.diagnostics, strict=True)]
    older = {id(one) for one in split(found, known)[1]}
    debt: dict[str, Counter[Fingerprint]] = {outcome.path: Counter() for outcome in first.outcomes}
    outcomes = []
    for outcome in first.outcomes:
        new = [one for one in outcome.diagnostics if id(one) not in older]
        left = [one for one in outcome.diagnostics if id(one) in older]
        outcomes.append(outcome._replace(diagnostics=new, known=left))
        for print, one in zip(outcome.prints, outcome.diagnostics, strict=True):
            debt[outcome.path][print] += id(one) in older
    if order.mend:
        return run(order._replace(debt=debt), jobs)
    return first._replace(outcomes=tuple(outcomes))
