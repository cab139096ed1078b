"""`shelfread export`: what is uncertain, and lists with what was read of them beside."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from jsonschema import Draft202012Validator

from shelfread.core.folders import SCHEMA
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.vocabulary import Vocabulary
from support.command_line import here as here
from support.command_line import process, shelfread
from support.command_line import sample as sample

LIST = """\
# Papers

- [Training](#training)
- [Serving](#serving)

## Training

- More about this is [elsewhere](https://blog.example.org/more).

- Tofu: Supporting Very Large Models using Automatic Dataflow Graph Partitioning ([EuroSys 2019](https://doi.org/10.1145/3302424.3303953)) [[Paper](https://arxiv.org/abs/1807.08887)]
- [Horovod](https://github.com/horovod/horovod) - Distributed training.
"""


@pytest.fixture
def papers(here: Path) -> Path:
    (here / "list.md").write_text(LIST)
    return here


@pytest.fixture
def doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each paper's title and venue are known by their position only."""

    def doubtful(source: Source, vocabulary: Vocabulary) -> Document:
        document = read(source, vocabulary)
        entries = (
            entry._replace(uncertain=frozenset({"venue", "title"} if entry.kind == "paper" else ()))
            for entry in document.entries
        )
        return dataclasses.replace(document, entries=tuple(entries))

    monkeypatch.setattr("shelfread.engine.load_save.read", doubtful)


def annotated(*words: str, input: str | bytes | None = None) -> list[str]:
    """The lines that `export --annotate` prints."""
    done = shelfread("export", "--annotate", *words, input=input)
    assert done.exit_code == 0, done.output
    text: str = done.stdout
    return text.splitlines()


# ------------------------------------------------------------------------------------------------ JSON
def test_what_is_uncertain_is_exported(papers: Path, doubt: None) -> None:
    entries = json.loads(shelfread("export", "list.md").stdout)
    paper, tool = entries
    assert paper["uncertain"] == ["title", "venue"]
    assert "uncertain" not in tool
    lines = shelfread("export", "--format", "jsonl", "list.md").stdout.splitlines()
    assert [json.loads(line) for line in lines] == entries
    validator = Draft202012Validator(json.loads((SCHEMA / "entry.schema.json").read_text("utf-8")))
    assert [list(validator.iter_errors(entry)) for entry in entries] == [[], []]
    assert list(validator.iter_errors({**paper, "uncertain": []}))
    assert list(validator.iter_errors({**paper, "uncertain": ["section"]}))


# -------------------------------------------------------------------------------------------- annotated
def test_a_list_with_what_was_read(papers: Path, doubt: None) -> None:
    assert annotated("list.md") == [
        "# `list.md`",
        "",
        "```text",
        "1      section       # Papers",
        "",
        "3-4    no entry: a table of contents | - [Training](#training)",
        "",
        "6      section       ## Training",
        "",
        "8      not read:     | - More about this is [elsewhere](https://blog.example.org/more).",
        "",
        "10     paper         | - Tofu: Supporting Very Large Models using Automatic Dataflow Graph Partitioning ([EuroSys 2019](https://do"
        " … 3303953)) [[Paper](https://arxiv.org/abs/1807.08887)]",
        "10     title?        Tofu: Supporting Very Large Models using Automatic Dataflow Graph Partitioning",
        "10     name          Tofu",
        "10     venue?        EuroSys",
        "10     year          2019",
        "10     link          paper EuroSys 2019 <https://doi.org/10.1145/3302424.3303953>",
        "10     link          paper <https://arxiv.org/abs/1807.08887>",
        "",
        "11     entry         | - [Horovod](https://github.com/horovod/horovod) - Distributed training.",
        "11     title         Horovod",
        "11     link          code (title) <https://github.com/horovod/horovod>",
        "11     description   Distributed training.",
        "```",
        "",
        "- 2 entries, 1 paper",
        "- 2 uncertain fields in 1 entry: title (1); venue (1)",
        "- 1 part with no entry: a table of contents (1)",
        "- 1 line with links not read",
    ]


def test_the_format_is_implied(papers: Path) -> None:
    assert annotated("list.md") == annotated("--format", "markdown", "list.md")


def test_an_empty_list(here: Path) -> None:
    (here / "list.md").write_text("")
    assert annotated("list.md") == ["# `list.md`", "", "- 0 entries"]


def test_several_files_have_counts_of_all(papers: Path) -> None:
    (papers / "tools.md").write_text("- [Flyte](https://flyte.org) - Runs workflows.\n")
    lines = annotated()
    assert [line for line in lines if line.startswith("#")] == ["# `list.md`", "# `tools.md`", "# 2 files"]
    assert lines[lines.index("# 2 files") :][2] == "- 3 entries, 1 paper"


def test_standard_input(here: Path) -> None:
    assert annotated("-", input=LIST)[0] == "# `<stdin>`"
    assert annotated("-", "--stdin-filename", "other.md", input=LIST)[0] == "# `other.md`"


def test_a_file_that_cannot_be_read_hides_no_other(papers: Path) -> None:
    (papers / "bad.md").write_bytes(b"\xff")
    done = shelfread("export", "--annotate")
    assert done.exit_code == 2
    assert "bad.md" in done.stderr and "# `list.md`" in done.stdout


# ---------------------------------------------------------------------------------------------- hostile
HOSTILE = (
    "# A \x1b[31mtitle`` ` ```\n\n"
    "- [One\x1b]0;x\x07 of `these`](https://one.org/\u202e) - Reads \u2066backwards\x9b2J.\n\n"
    "See [\x1b[2Jhere](https://two.org)\u2028\n\n"
    "```\n```\n\n- <b>\r\n```\r\n"
)


def controls(text: str) -> Iterator[str]:
    return (sign for sign in text if not sign.isprintable() and sign not in "\n")


def test_nothing_controls_the_terminal(here: Path) -> None:
    (here / "list.md").write_text(HOSTILE, newline="")
    lines = annotated("list.md")
    assert not list(controls("\n".join(lines)))
    assert [line for line in lines if line.startswith("```")] == ["```text", "```"]
    assert any("<U+001B>[2J" in line for line in lines)


def test_nothing_commands_a_workflow(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (here / "list.md").write_text("# ##[error]x\n\n- [One](https://one.org) - ##[error]x\n")
    assert "##[" not in "\n".join(annotated("list.md"))


# ---------------------------------------------------------------------------------------------- options
def test_an_output_file(papers: Path) -> None:
    shown = annotated("list.md")
    done = shelfread("export", "--annotate", "--output-file", "view.md", "list.md")
    assert (done.exit_code, done.output) == (0, "")
    mark, *lines = (papers / "view.md").read_text("utf-8").splitlines()
    assert (mark, lines) == ("<!-- Written by shelfread. -->", shown)


def test_an_output_file_among_the_lists(papers: Path) -> None:
    for _ in range(2):
        done = shelfread("export", "--annotate", "--output-file", "view.md")
        assert done.exit_code == 0, done.output
        assert "view.md" not in (papers / "view.md").read_text("utf-8")


def test_no_list_is_overwritten(papers: Path) -> None:
    done = shelfread("export", "--annotate", "--output-file", "./list.md")
    assert done.exit_code == 2 and "list.md: --output-file would overwrite it" in done.stderr
    assert (papers / "list.md").read_text() == LIST


def usage_error(done: Result) -> str:
    assert done.exit_code == 2 and not done.stdout
    return done.stderr


def test_errors_of_use(papers: Path) -> None:
    for form in ("json", "jsonl", "bibtex", "skos"):
        error = usage_error(shelfread("export", "--annotate", "--format", form, "list.md"))
        assert f"cannot be combined with --format {form}" in error


def test_the_help_names_it() -> None:
    done = process("export", "-h")
    assert b"--annotate" in done.stdout and b"not read" in done.stdout
