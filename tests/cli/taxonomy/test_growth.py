"""`taxonomy show` and `map` take time in proportion to headings and labels."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.work import executed_lines

WORDS = [
    a + b
    for a in "ba ce di fo gu ka le mi no pu ra se ti vo zu".split()
    for b in "ban cel dif fog gur kar lem min".split()
]


def write(concepts: int, headings: int) -> None:
    names = [
        f"{WORDS[n % len(WORDS)].title()} {WORDS[n // len(WORDS) % len(WORDS)].title()}"
        for n in range(max(concepts, headings))
    ]
    lines = [
        f"  c{n}: {{prefLabel: {names[n]} Ovens{f', broader: c{n // 10}' if n else ''}}}"
        for n in range(concepts)
    ]
    Path("taxonomy.yaml").write_text("concepts:\n" + "\n".join(lines) + "\n")
    sections = (
        f"## {names[n]} {'Ovens' if n % 2 else 'Mills'}\n\n- [Fd {n}](https://fd{n}.example.org) - Finds files.\n"
        for n in range(headings)
    )
    Path("list.md").write_text("# Tools\n\n" + "\n".join(sections))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "map"])
def test_the_work_grows_with_headings_and_labels(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("taxonomy", command, "--taxonomy", "taxonomy.yaml", "--format", "json")
    counts = []
    for size in (1, 4):
        write(125 * size, 50 * size)
        assert CliRunner().invoke(group, words).exit_code == 0  # prepares the taxonomy
        counts.append(executed_lines(lambda: CliRunner().invoke(group, words)))
    assert counts[1] < 6 * counts[0]
