"""The documentation: its pages, and the fences in them."""

from __future__ import annotations

import re
import shlex

from support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
}


def fences(text: str, language: str) -> list[str]:
    """The contents of the fences of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def runs(example: str) -> list[tuple[list[str], str]]:
    """The commands of a console example, as the arguments of shelfread, each with the output that is shown."""
    blocks = re.split(r"^\$ shelfread (.*)\n", example, flags=re.MULTILINE)[1:]
    return [(shlex.split(command), shown) for command, shown in zip(blocks[::2], blocks[1::2], strict=True)]


def assert_shown(shown: str, output: str) -> None:
    """Each part of what is shown is in the output, in this order; `...` stands for anything."""
    rest = output
    for part in filter(None, (part.strip("\n") for part in shown.split("..."))):
        assert part in rest, f"{part}\n\nis not in\n\n{rest}"
        rest = rest.partition(part)[2]
