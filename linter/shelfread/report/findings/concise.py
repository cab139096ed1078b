"""Findings one a line, for editors, `grep` and logs."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.report.scene import Scene, findings
from shelfread.report.text import headline
from shelfread.run import Run


def render(run: Run, scene: Scene) -> Iterator[str]:
    """`path:line:column: severity[rule] message`."""
    for one, source in findings(run, scene.least):
        yield headline(one, source, scene.look)
