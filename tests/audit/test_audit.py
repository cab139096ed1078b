"""The tables of an audit: what check and export say of each list, whatever the format and the number of processes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from shelfread.audit.audit_rows import TABLES, Column, columns
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.record_cache import RecordCache
from support.command_line import shelfread
from support.docs import PAGES, assert_shown, fences, runs
from support.gitrepo import do, init
from support.many_lists import LISTS, audit, csv_table, errors, table, tables, write_lists
from support.many_lists import kept_processes as kept_processes

pytestmark = pytest.mark.usefixtures("kept_processes")
MIXED = """\
# Mixed

- Aurora: Training on =SUM(A1) Machines ([OSDI 2021](https://www.usenix.org/conference/osdi21/presentation/a)) [[Paper](https://arxiv.org/abs/2101.00001)]
    - Ann Lee, Bo Chen
- [Café](http://example.org/café) - Serves "coffee", tea; and more.
"""


@pytest.fixture(autouse=True)
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_lists(tmp_path / "lists", {**LISTS, "mixed": MIXED})


def by_list(name: str, of: str) -> list[dict[str, Any]]:
    """The rows of one list, without its name."""
    return [
        {key: value for key, value in row.items() if key != "list"}
        for row in table(name)
        if row["list"] == of
    ]


@pytest.mark.parametrize("name", [*LISTS, "mixed"])
def test_the_rows_are_what_check_and_export_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    audit("lists")
    entries, findings, links = (by_list(kind, name) for kind in ("entries", "findings", "links"))
    (row,) = by_list("lists", name)
    monkeypatch.chdir(f"lists/{name}")
    report = json.loads(shelfread("check", "--output-format", "json").stdout)
    summary = {key: value for key, value in report["summary"].items() if key != "lists"}
    assert {key: row[key] for key in summary} == summary
    assert row["presets"] == sorted(report["summary"]["lists"][0]["presets"])
    exported = json.loads(shelfread("export").stdout)
    assert [entry["title"] for entry in entries] == [entry["title"] for entry in exported]
    for entry, other in zip(entries, exported, strict=True):
        common = entry.keys() & other.keys()
        assert {key: entry[key] for key in common} == {key: other[key] for key in common}
        assert {key: entry[key] for key in ("doi", "arxiv", "github")}.items() <= other["identifiers"].items()
    for finding, other in zip(findings, report["diagnostics"], strict=True):
        assert {key: finding[key] for key in _PLACE} == {key: other[key] for key in _PLACE}
        assert finding["fix"] == (other["fix"] and other["fix"]["applicability"])
    assert [(link["url"], link["role"]) for link in links if link["entry"] is not None] == [
        (link["url"], link["role"]) for entry in exported for link in entry["links"]
    ]
    assert all(
        entries[each["entry"]]["line"] <= each["line"] for each in (*findings, *links) if each["entry"]
    )


_PLACE = ("rule", "severity", "message", "path", "line", "column", "end_line", "end_column")


def test_entries_are_numbered_through_all_files() -> None:
    Path("lists/tools/more").mkdir()
    Path("lists/tools/more/list.md").write_text(LISTS["speed"])
    audit("lists")
    rows = [(row["path"], row["entry"], row["title"]) for row in table("entries") if row["list"] == "tools"]
    assert [row[:2] for row in rows] == [
        ("README.md", 0), ("README.md", 1), ("more/list.md", 2), ("more/list.md", 3)
    ]  # fmt: skip
    numbers = {(row["path"], row["entry"]) for row in table("links") if row["list"] == "tools"}
    assert numbers == {row[:2] for row in rows}


def test_the_formats_have_the_same_rows() -> None:
    for form in ("jsonl", "csv", "parquet"):
        audit("lists", form=form)
    for name, kind in TABLES.items():
        rows = table(name)
        stored = parquet.read_table(f"out/{name}.parquet")
        assert stored.to_pylist() == rows and rows
        for column, field in zip(columns(kind), stored.schema, strict=True):
            assert (field.name, str(field.type), field.nullable) == _arrow(column)
        assert [_text(row) for row in rows] == [
            {key: value.lstrip("'") for key, value in row.items()} for row in csv_table(name)
        ]


def _arrow(column: Column) -> tuple[str, str, bool]:
    types = {str: "string", int: "int64", bool: "bool", tuple: "list<element: string>"}
    return column.name, types[column.type], column.nullable


def _text(row: dict[str, Any]) -> dict[str, str]:
    def text(name: str, value: Any) -> str:
        if isinstance(value, list):
            return (" > " if name == "section" else "; ").join(value)
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

    return {name: text(name, value) for name, value in row.items()}


def test_a_formula_is_defused() -> None:
    Path("lists/mixed/README.md").write_text("# =HYPERLINK(1)\n\n- [=1+1](https://example.org) - Adds.\n")
    audit("lists", form="csv")
    assert csv_table("entries")[2]["title"] == "'=1+1"


def test_the_order_does_not_depend_on_the_processes() -> None:
    audit("lists", "-j", "1")
    os.rename("out", "one")
    audit("lists/tools", "lists", "-j", "3")
    assert tables() == tables("one")
    assert [row["list"] for row in table("lists")] == sorted(errors())


@pytest.mark.slow
def test_only_what_has_changed_is_read() -> None:
    audit("lists")
    assert "4 lists, 4 unchanged, " in audit("lists")
    with open("lists/speed/README.md", "a") as stream:
        stream.write("- [Bat](https://github.com/sharkdp/bat) - Shows files.\n")
    assert "4 lists, 3 unchanged, 9 entries, " in audit("lists")
    Path("lists/tools/.shelfread.yaml").write_text("rules:\n  link/malformed: off\n")
    assert "3 unchanged, 9 entries, 0 findings:" in audit("lists")
    Path("lists/tools/docs.txt").write_text("A link to it would not be broken any more.\n")
    assert "3 unchanged" in audit("lists")
    assert "4 lists, 9 entries" in audit("lists", "--isolated")
    assert "4 unchanged" in audit("lists", "--isolated", form="csv")


def test_lists_that_are_gone() -> None:
    audit("lists")
    assert audit("lists/tools").startswith("shelfread: 1 list, 1 unchanged, 2 entries")
    assert [row["list"] for row in table("lists")] == ["tools"] and len(
        list(Path("out/parts").glob("*.gz"))
    ) == 1


def test_a_configuration_for_all() -> None:
    """Its patterns are those of each list; the configurations of the lists do not count."""
    Path("lists/tools/.shelfread.yaml").write_text("rules:\n  link/malformed: off\n")
    Path("lists/tools/old").mkdir()
    Path("lists/tools/old/list.md").write_text(LISTS["tools"])
    Path("org.yaml").write_text("exclude: [old/]\nrules:\n  link/malformed: warning\n")
    assert "8 entries, 1 finding:" in audit("lists", "--config", "org.yaml")
    (row,) = by_list("lists", "tools")
    assert (row["files"], row["warnings"]) == (1, 1)
    Path("org.yaml").write_text("rules:\n  link/malformed: off\n")
    assert "unchanged" not in audit("lists", "--config", "org.yaml")


def test_a_taxonomy_for_all() -> None:
    write_lists(
        Path("lists"), {"training": "# Papers\n\n## Distributed Training\n\n" + MIXED.split("\n\n")[1]}
    )
    audit("lists")
    assert {row["concept"] for row in table("entries")} == {None}
    audit("lists", "--taxonomy", "ml-systems")
    assert {row["taxonomy"] for row in table("lists")} == {"ml-systems"}
    assert "distributed-training" in {row["concept"] for row in table("entries")}


def test_the_state_of_links() -> None:
    """As `links` saw it, whenever it did: the lists are not read again for it."""
    audit("lists")
    assert {row["verdict"] for row in table("links")} == {None}
    now = 4_000_000_000.0  # the cache forgets what is old
    dead = LinkRecord(
        "https://github.com/sharkdp/fd", Verdict.DEAD, "404 Not Found, seen twice", checked_at=now
    )
    alive = LinkRecord("https://arxiv.org/abs/2205.14135", Verdict.ALIVE, "200 OK", checked_at=now)
    with RecordCache(Path("links.sqlite3"), pytest.fail) as cache:
        cache.put([dead, alive])
    before = {row["url"]: row for row in table("links")}
    assert "4 lists, 4 unchanged" in audit("lists", "--cache-file", "links.sqlite3")
    rows = table("links")
    day = datetime.fromtimestamp(now, timezone.utc).isoformat()
    state = {"verdict": "dead", "reason": "404 Not Found, seen twice", "checked": day}
    (row,) = (row for row in rows if (row["list"], row["url"]) == ("tools", dead.url))
    assert row == {**before[dead.url], **state}
    assert Counter(row["verdict"] for row in rows) == {None: 6, "dead": 2, "alive": 2}
    data = json.loads(re.findall(r'id="data">(.*)</script>', Path("out/index.html").read_text())[0])
    assert {each["name"]: (each.get("checked", 0), each.get("dead", 0)) for each in data["lists"]} == {
        "graphs": (1, 0), "mixed": (0, 0), "speed": (2, 1), "tools": (1, 1)
    }  # fmt: skip
    done = shelfread("audit", "lists", "--output", "out", "--format", "csv", "--cache-file", "none.sqlite3")
    assert done.exit_code == 2 and not Path("none.sqlite3").exists()
    assert done.stderr == "shelfread: none.sqlite3: no such file: 'shelfread links --cache-file' writes it\n"


def test_lists_within_another_repository() -> None:
    """Each is on its own: another list is no duplicate, and that repository may ignore them."""
    do("init", "--quiet")
    Path(".gitignore").write_text("lists/\n")
    audit("lists")
    assert "entry/duplicate" not in {row["rule"] for row in table("findings")}
    assert {row["commit"] for row in table("lists")} == {None}


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = shelfread("audit", "lists", "--output", "out", "--format", "parquet")
    assert done.exit_code == 2 and not Path("out").exists()
    assert shelfread("audit", "lists", "--output", "out").exit_code == 0
    assert {path.name for path in Path("out").glob("*.*")} == {
        "index.html",
        *(f"{name}.csv" for name in TABLES),
    }


@pytest.mark.parametrize(
    "words",
    [
        ["lists"],
        ["--output", "out"],
        ["lists", "--output", "out", "--executor", "dask"],
        ["lists", "--output", "out", "--scheduler", "tcp://host:8786"],
        ["lists", "--output", "out", "--executor", "dask", "--scheduler", "tcp://host:8786", "-j", "2"],
        ["lists", "--output", "out", "--config", "org.yaml", "--isolated"],
        ["lists", "--output", "out", "--deadline", "soon"],
        ["lists", "--output", "out", "--memory", "much"],
        ["lists", "--output", "out", "--memory", "1M"],
        ["lists", "none", "--output", "out"],
        ["lists", "--output", "out", "--config", "none.yaml"],
        ["lists", "--output", "out", "--taxonomy", "none"],
    ],
)
def test_wrong_options(words: list[str]) -> None:
    done = shelfread("audit", *words)
    assert (done.exit_code, done.stdout) == (2, "") and "Traceback" not in done.stderr
    assert not Path("out/lists.parquet").exists()


# ---------------------------------------------------------------------------------------------- docs/audit.md
def test_the_columns_are_documented() -> None:
    types = {str: "text", int: "integer", bool: "boolean", tuple: "texts"}
    for name, kind in TABLES.items():
        (section,) = re.findall(
            rf"^### {name}\n(.*?)(?=^##)", PAGES["docs/audit.md"], re.MULTILINE | re.DOTALL
        )
        rows = re.findall(r"^\| (`[^|]+`) \| ([\w ]+?) \|", section, re.MULTILINE)
        stated = [(column, kind) for names, kind in rows for column in re.findall(r"\w+", names)]
        assert stated == [
            (column.name, types[column.type] + " or null" * column.nullable) for column in columns(kind)
        ]


@pytest.mark.slow
def test_the_examples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    folder = tmp_path / "elsewhere"
    write_lists(folder / "lists")
    write_lists(folder / "mirrors")
    monkeypatch.chdir(folder)
    Path("lists.txt").write_text("lists/tools\nlists/speed\n")
    Path("org.yaml").touch()
    for example in fences(PAGES["docs/audit.md"], "console"):
        ((arguments, shown),) = runs(example)
        done = shelfread(*arguments)
        assert done.exit_code == 0
        assert_shown(shown, done.stderr)
    (program,) = fences(PAGES["docs/audit.md"], "python")
    exec(compile(program, "docs/audit.md", "exec"), {})
    assert "10.1145/3302424.3303953" in capsys.readouterr().out
    lines = [
        line.partition("#")[0].split()
        for text in fences(PAGES["docs/audit.md"], "sh")
        for line in text.splitlines()
    ]
    commands = [words for words in lines if words[0] == "shelfread" and "dask" not in words]
    assert len(commands) == 3
    for words in commands:
        assert shelfread(*words[1:]).exit_code == 0, words


def test_a_banner_is_no_title(tmp_path: Path) -> None:
    text = "# Try Our Suite Now!\n\nWords.\n\n# Mixed Things\n\n## Search\n\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n"
    write_lists(tmp_path / "more", {"mixed-things": text})
    audit("more")
    (row,) = by_list("lists", "mixed-things")
    assert row["title"] == "Mixed Things"


def test_a_list_has_the_title_of_its_page_and_feed(tmp_path: Path) -> None:
    """The name of the repository shows that a heading of level 2 is the title, and no section of that level."""
    text = "## Paper Collection of Tall Shelves\n\n## Reviews\n\n- [Fd](https://github.com/sharkdp/fd) - Finds files.\n"
    write_lists(tmp_path / "more", {"papers": text})
    folder = tmp_path / "more" / "papers"
    init(folder)
    do("remote", "add", "origin", "https://github.com/ada/shelves-papers", cwd=folder)
    do("add", ".", cwd=folder)
    do("commit", "--quiet", "-m", "Begin", cwd=folder)
    audit("more")
    (row,) = by_list("lists", "papers")
    feed = json.loads(shelfread("feed", "--format", "json", "more/papers").stdout)
    page = shelfread("page", "more/papers").stdout
    assert row["title"] == feed["title"] == "Paper Collection of Tall Shelves"
    assert "<title>Paper Collection of Tall Shelves</title>" in page
