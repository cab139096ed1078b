"""Entries in the forms of lists that write less, or more, than others."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import shelfread

BIBTEX = """\
@inproceedings{a, title={Sharing Pages of Attention between Models}, author={Ada Lovelace}, booktitle={SOSP}, year={2023},
  doi={10.1145/3600006.3613165}}
@misc{b, title={Taming Tails with Chunks of Prefills}, author={Grace Hopper}, year={2024}, eprint={2401.00001},
  archivePrefix={arXiv}}
"""
TITLES = [
    f"Scheduling {word} of Various Lengths"
    for word in "Jobs Tasks Threads Requests Queries Batches Flows".split()
]


def inserted(folder: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> list[str]:
    """The lines that importing adds below those of a list."""
    monkeypatch.chdir(folder)
    text = "# Papers\n\n" + "".join(f"{line}\n" for line in lines)
    (folder / "list.md").write_text(text)
    (folder / "new.bib").write_text(BIBTEX)
    done = shelfread("import", "new.bib", "--into", "list.md", "--isolated")
    assert done.exit_code == 0, done.stderr
    after = (folder / "list.md").read_text().splitlines()
    return [line for line in after if line not in text.splitlines()]


def test_a_link_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the venue stands between two links, and there is only one."""
    lines = [
        f"- {title} [[Paper](https://example.org/{number}.pdf)] [OSDI2{number}] [[Code](https://github.com/x/{number})]"
        for number, title in enumerate(TITLES)
    ]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- Sharing Pages of Attention between Models [[Paper](https://doi.org/10.1145/3600006.3613165)] [SOSP23]",
        "- Taming Tails with Chunks of Prefills [[Paper](https://arxiv.org/abs/2401.00001)] [arXiv24]",
    ]


def test_a_list_that_states_no_venue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"- [{title}](https://arxiv.org/abs/2302.0000{number})" for number, title in enumerate(TITLES)]
    assert inserted(tmp_path, monkeypatch, lines) == [
        "- [Sharing Pages of Attention between Models](https://doi.org/10.1145/3600006.3613165)",
        "- [Taming Tails with Chunks of Prefills](https://arxiv.org/abs/2401.00001)",
    ]
