"""An output option writes a new file, or over an earlier output; what a run reads is never lost."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from shelfread.cli.options import FORMATS
from support.command_line import LIST, here, sample, shelfread
from support.gitrepo import commit, init

pytestmark = pytest.mark.slow

__all__ = ["here", "sample"]

PARTLY = ("text", "json", "markdown")
PAPERS = "# Papers\n\n- Tofu: Very Large Models (EuroSys 2019) [[Paper](https://doi.org/10.1145/3302424.3303953)]\n"
OUTPUTS = {
    **{f"check {form}": ("check", "--output-format", form, "--output-file") for form in FORMATS},
    "check statistics": ("check", "--statistics", "--output-file"),
    **{f"links {form}": ("links", "--offline", "--output-format", form, "--output-file") for form in PARTLY},
    **{f"diff {form}": ("diff", "HEAD", "--output-format", form, "--output-file") for form in PARTLY},
    "export json": ("export", "--output-file"),
    "export jsonl": ("export", "--format", "jsonl", "--output-file"),
    "export annotated": ("export", "--annotate", "--output-file"),
    "page": ("page", "--output-file"),
    **{
        f"export {form}": ("export", "--format", form, "--output-file")
        for form in ("csl-json", "bibtex", "ris", "csv", "markdown")
    },
    **{f"feed {form}": ("feed", "--format", form, "--output-file") for form in ("atom", "json", "markdown")},
    "export skos": ("export", "--format", "skos", "--taxonomy", "forms", "--output-file"),
    "baseline": ("check", "--write-baseline"),
}
LISTS = {
    "findings": {"list.md": LIST, "other.md": "# Other\n\n- [Three](gone.md) - Does it.\n"},
    "no entries": {"list.md": "# List\n", "other.md": "# Other\n"},
    "an unreadable list": {"list.md": LIST, "other.md": b"\xff"},
}
MARKED = tuple(
    name for name in OUTPUTS if name.split()[-1] in ("text", "markdown", "annotated", "full", "statistics")
)
"""The outputs that are for people, or are Markdown: with the name of a list, they say what they are."""


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("history") / "git"


@pytest.fixture
def committed(here: Path, history: Path) -> Path:
    """The folder with all of it in one commit, which the first test makes and the others copy."""
    if history.exists():
        shutil.copytree(history, here / ".git")
    else:
        init(here)
        commit({})
        shutil.copytree(here / ".git", history)
    return here


def replaced(output: str, file: str) -> None:
    """Write an output three times to one file."""
    first, second = (shelfread(*OUTPUTS[output], file) for _ in range(2))
    assert "--output-file" not in second.stderr and "--write-baseline" not in second.stderr
    assert (second.exit_code, second.stderr) == (first.exit_code, first.stderr)
    if Path(file).is_file() and Path(file).read_text().strip():
        Path("list.md").write_text(LIST + "\n")
        done = shelfread(*OUTPUTS[output], file)
        assert "would overwrite" not in done.stderr, "other findings are the same kind of output"


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_second_run_replaces_the_output_of_the_first(output: str, here: Path) -> None:
    init(here)
    commit({"list.md": "# List\n", "other.md": LIST, ".gitignore": "out\n"})
    (here / "list.md").write_text(LIST)
    replaced(output, "out")
    assert (here / "out").is_file()


@pytest.mark.parametrize("lists", LISTS)
@pytest.mark.parametrize("output", MARKED)
def test_a_second_run_replaces_markdown(output: str, lists: str, here: Path) -> None:
    init(here)
    commit({"list.md": "# List\n", "other.md": LIST, ".gitignore": "out.md\n"})
    for name, text in LISTS[lists].items():
        (here / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    replaced(output, "out.md")
    assert (here / "out.md").read_text().startswith("<!-- ")


PRECIOUS = {
    "a list": "# Awesome Links\n\n- [One](https://one.org) - Does it.\n",
    "a list with a report's title": "# Links\n\n- [One](https://one.org) - Does it.\n",
    "a list with the tool's name": "## shelfread\n\n- [One](https://one.org) - Does it.\n",
    "a list that begins with a number": "100 links for readers\n\n- [One](https://one.org) - Does it.\n",
    "notes": "3 tools were added, see https://one.org\n",
    "data": '{"version": 1, "diagnostics": []}\n',
    "an array": '[{"title": "One"}]\n',
    "bytes": b"\xff\xfe\x00",
    "deep data": "[" * 100_000,
}


@pytest.mark.parametrize("content", PRECIOUS)
@pytest.mark.parametrize("output", ["check text", "diff markdown", "export json", "baseline"])
def test_nothing_else_is_replaced(output: str, content: str, committed: Path) -> None:
    text = PRECIOUS[content]
    stays(output, text if isinstance(text, bytes) else text.encode(), committed)


@pytest.mark.parametrize("output", OUTPUTS)
def test_no_output_replaces_a_list(output: str, committed: Path) -> None:
    stays(output, LIST.encode(), committed)


def stays(output: str, data: bytes, here: Path) -> None:
    """A Markdown file that is no output is refused before anything is read."""
    (here / "precious.md").write_bytes(data)
    done = shelfread(*OUTPUTS[output], "precious.md")
    option = OUTPUTS[output][-1]
    assert done.exit_code == 2 and not done.stdout
    assert done.stderr.startswith(
        f"shelfread: precious.md: {option} would overwrite it, and it is not an earlier "
    )
    assert done.stderr.endswith(": name another file, or delete it first\n")
    assert (here / "precious.md").read_bytes() == data


@pytest.mark.parametrize(
    "words",
    [
        ("check", "notes", "--output-file", "notes"),
        ("import", "notes", "--output-file", "./notes"),
        ("check", "list.md", "--config", "notes", "--output-file", "notes"),
        ("export", "list.md", "notes", "--output-file", "notes"),
        ("export", "list.md", "--output-file", "binary"),
        ("page", "list.md", "--output-file", ".shelfread.yaml"),
    ],
)
def test_what_the_run_reads_is_not_replaced(words: tuple[str, ...], here: Path) -> None:
    (here / "notes").write_text(LIST)
    (here / "binary").write_bytes(b"\xff\xfe\x00")
    before = {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()}
    done = shelfread(*words)
    assert done.exit_code == 2 and "--output-file would overwrite it" in done.stderr
    assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


OTHERS = {
    "package.json": '{\n  "name": "site",\n  "version": "1.0.0"\n}\n',
    "zotero.json": '[\n\t{\n\t\t"id": "tofu",\n\t\t"type": "paper-conference"\n\t}\n]\n',
    "papers.bib": "@inproceedings{tofu,\n  title = {Tofu},\n}\n",
    "papers.ris": "TY  - CONF\nTI  - Tofu\nER  - \n",
    "papers.csv": "title,year\nTofu,2019\n",
    "index.html": '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Mine</title>\n',
    "feed.xml": '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n  <id>urn:x</id>\n</feed>\n',
    "terms.ttl": "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n",
    "notes.txt": "Written by hand.\n",
}


@pytest.mark.parametrize("file", OTHERS)
@pytest.mark.parametrize(
    "output", ["check text", "check json", "export json", "export bibtex", "feed atom", "page"]
)
def test_what_another_tool_or_person_wrote_is_not_replaced(output: str, file: str, committed: Path) -> None:
    (committed / file).write_text(OTHERS[file])
    done = shelfread(*OUTPUTS[output], file)
    assert (done.exit_code, done.stdout) == (
        2,
        "",
    ) and f"{file}: --output-file would overwrite it" in done.stderr
    assert (committed / file).read_text() == OTHERS[file]


def test_an_export_is_no_baseline(here: Path) -> None:
    assert shelfread("export", "--output-file", "out").exit_code == 0
    entries = (here / "out").read_bytes()
    assert "would overwrite it" in shelfread("check", "--write-baseline", "out").stderr
    assert (here / "out").read_bytes() == entries


def test_formats_for_people_replace_each_other(here: Path) -> None:
    for form in ("text", "full", "concise", "text"):
        done = shelfread("check", "list.md", "--output-format", form, "--output-file", "out")
        assert done.exit_code == 1 and not done.stderr


@pytest.mark.parametrize("output", OUTPUTS)
def test_an_empty_file_is_filled(output: str, committed: Path) -> None:
    (committed / "out").touch(mode=0o600)
    done = shelfread(*OUTPUTS[output], "out")
    assert done.exit_code in (0, 1), done.output
    assert (committed / "out").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("output", ["check text", "links json", "diff markdown", "export json", "baseline"])
def test_what_is_no_regular_file(
    output: str, committed: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "empty").touch()
    (committed / "link").symlink_to(elsewhere / "empty")
    (committed / "dangling").symlink_to(elsewhere / "new")
    (committed / "folder").symlink_to(elsewhere)
    os.mkfifo(committed / "pipe")
    option = OUTPUTS[output][-1]
    for file, why in {
        "link": f"{option} follows no symbolic link: name {elsewhere / 'empty'} instead of link",
        "dangling": f"{option} follows no symbolic link",
        "folder/new": f"{option} follows no symbolic link: name {elsewhere} instead of folder",
        "pipe": f"{option} writes to regular files only",
        os.devnull: f"{option} writes to regular files only",
        ".": f"{option} cannot write to it: it is a folder",
    }.items():
        done = shelfread(*OUTPUTS[output], file)
        assert (done.exit_code, done.stdout) == (2, "") and f"{file}: {why}" in done.stderr, done.stderr
    assert "follows no symbolic link" in shelfread(*OUTPUTS[output], str(committed / "folder" / "new")).stderr
    assert [path.name for path in elsewhere.iterdir()] == ["empty"]
    assert not (elsewhere / "empty").read_bytes() and not Path(os.devnull).is_file()


def test_a_folder_that_does_not_exist(here: Path) -> None:
    done = shelfread("check", "list.md", "--output-file", "no/such/report")
    assert done.exit_code == 2 and not done.stdout
    assert "no/such/report: cannot be written: the folder no/such does not exist" in done.stderr


@pytest.mark.parametrize(
    "change",
    [
        lambda text: json.dumps(json.loads(text), sort_keys=True, indent=4),
        lambda text: json.dumps(json.loads(text) | {"version": 99}),
        lambda text: text.replace("]}", "<<<<<<< HEAD\n=======\n>>>>>>> branch\n]}"),
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    ],
    ids=["sorted by another tool", "of another version", "with a conflict of git", "with BOM and CRLF"],
)
def test_a_baseline_is_known_in_any_form(change: object, here: Path) -> None:
    assert callable(change)
    shelfread("check", "--write-baseline", "known.json")
    written = (here / "known.json").read_text()
    (here / "known.json").write_text(change(written))
    assert shelfread("check", "--write-baseline", "known.json").exit_code == 0
    assert (here / "known.json").read_text() == written


def test_no_list_becomes_a_cache(here: Path) -> None:
    done = shelfread("links", "--cache-file", "list.md")
    assert done.exit_code == 2 and "list.md: --cache-file would replace it, and it is no cache" in done.stderr
    assert (here / "list.md").read_text() == LIST
