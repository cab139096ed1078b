"""What to do about many findings: the commands, ready to be copied."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.plurals import counted
from shelfread.engine.model import RunResult
from shelfread.report.context import RenderContext
from shelfread.report.tally import tally

_BASELINE = ".shelfread/known.json"


def next_steps(run: RunResult, context: RenderContext) -> Iterator[str]:
    """Yield a line for each step."""
    steps = list(_steps(run, context))
    if steps:
        yield ""
        yield context.style.paint("Next steps:", "bold")
        column = max(len(what) for what, _ in steps) + 2
        for what, command in steps:
            yield f"  {what:<{column}}{context.style.paint(command, 'cyan')}"


def _steps(run: RunResult, context: RenderContext) -> Iterator[tuple[str, str]]:
    """Yield what there is to do, and the command."""
    if context.arguments is None:
        return
    paths = f" {context.arguments}" if context.arguments else ""
    safe, _ = tally(run, context.min_severity).fixable()
    if safe:
        yield f"see the {counted(safe, 'safe fix', 'safe fixes')}", f"shelfread fix --diff{paths}"
    yield "see each finding with its line", f"shelfread check --output-format full{paths}"
    if not context.configured:
        yield "choose the rules for this list", f"shelfread init{paths}"
    if not run.baseline and not run.since:
        yield "report only new findings", f"shelfread check --write-baseline {_BASELINE}{paths}"
