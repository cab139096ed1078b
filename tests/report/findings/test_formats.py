"""Every output format: valid to its own readers, every finding in it, and nothing that a list can forge."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker
from markdown_it import MarkdownIt

from shelfread.cli.options import FORMATS
from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.engine.fingerprint import Fingerprint
from shelfread.engine.run import FileResult, Run
from shelfread.report import fingerprint_keys
from shelfread.report.context import RenderContext, relative_path
from shelfread.report.findings import concise, github, gitlab, junit, markdown, rdjson, sarif, text
from shelfread.report.findings import json as json_report
from shelfread.report.terminal import printable
from shelfread.rulebook.metadata import load
from support.command_line import FIXED, LIST, here, process, shelfread
from support.paths import DATA, LINTER
from support.runner import commands
from support.sample import sample, write_page

__all__ = ["here", "sample"]

SCHEMAS = DATA / "schemas"
ALL = RenderContext(min_severity=Severity.INFO, catalogue=load)
NASTY = [
    "::error file=x::forged",
    "##[error]forged",
    "##[stop-commands]forged",
    "\x1b[31mred\x1b[0m",
    "]]><evil/>",
    "<script>alert(1)</script><!-- & -->",
    "a | b \\| c `code` \\`",
    "@everyone #1 [x](javascript:alert(1)) ![i](http://evil.org) www.evil.org <http://evil.org>",
    "\u202e\u0000\u0001\u0085\u2028\ufffe\uffff\U0001f389 100%25 %0A %",
    "line\none\r\ntwo\rthree",
    "*b* _i_ ~s~ $x$ &lt; - 1. # h",
]
NAMES = ["list.md", "a b#ü?.md", "::error::x.md", "a\nb,c:d.md", "\x1b[2J.md", "]]>|`<b>@me.md", "\udcff.md"]


def schema(name: str) -> Draft202012Validator:
    data = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    return Draft202012Validator(data, format_checker=FormatChecker())


SARIF = schema("sarif-2.1.0.json")
GITLAB = schema("gitlab-code-quality.schema.json")
RDJSON = schema("rdjson.schema.json")


def finding(source: Source, title: str, number: int, fixed: bool = True, **changes: Any) -> Diagnostic:
    start = source.starts[number]
    span = Span(start, start + 3)
    edit = Edit(start, start + 1, title, Effect(Change.WORDS))
    one = Diagnostic(
        "paper/arxiv-agrees", Severity.WARNING, f"'{title}' is wrong", source.path or "", span,
        Fix((edit,), Applicability.SAFE) if fixed else None,
    )  # fmt: skip
    return one._replace(**changes)


def outcome(source: Source, *found: Diagnostic) -> FileResult:
    """What came of a file; its findings have fingerprints as outside of entries."""
    prints = [Fingerprint(one.rule, "", source.text[slice(*one.span)], one.message) for one in found]
    return FileResult(source.path or "", source, found, 1, 0, ("core",), prints=prints)


def made(files: dict[str, list[str]], errors: tuple[InputError, ...] = ()) -> Run:
    """A run with a finding on each line, of every severity in turn; each line holds the title that is wrong."""
    outcomes = []
    for path, titles in files.items():
        lines = [f"- 列表 {printable(title)}" for title in titles]
        source = Source("\n".join([*lines, ""]), path)
        found = [
            finding(source, title, at, at % 2 == 0, severity=Severity(2 - at % 3))
            for at, title in enumerate(titles)
        ]
        outcomes.append(outcome(source, *found))
    return Run(tuple(outcomes), errors)


# ------------------------------------------------------------ what a reader of each format finds in a report


def told_sarif(report: str) -> list[tuple[str, str]]:
    data = json.loads(report)
    SARIF.validate(data)
    results = data["runs"][0]["results"]
    prints = [one["partialFingerprints"]["entry/v1"] for one in results]
    assert len(prints) == len(set(prints))
    return [
        (
            os.fsdecode(unquote_to_bytes(one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])),
            re.sub(r"\\([\[\]])", r"\1", one["message"]["text"])
            if "](" in one["message"]["text"].replace("\\", "")
            else one["message"]["text"],
        )
        for one in results
    ]


def told_gitlab(report: str) -> list[tuple[str, str]]:
    data = json.loads(report)
    GITLAB.validate(data)
    prints = [one["fingerprint"] for one in data]
    assert len(prints) == len(set(prints))
    return [(one["location"]["path"], one["description"]) for one in data]


def told_rdjson(report: str) -> list[tuple[str, str]]:
    data = json.loads(report)
    RDJSON.validate(data)
    for one in data["diagnostics"]:
        shown = MarkdownIt("commonmark", {"html": True}).render(one["message"])
        assert not re.search(
            "@(?!\u2060)|<(?!/?(p|em|strong|code|br|h\\d|ul|li|ol|hr|pre|blockquote)\\b)", shown
        )
    return [
        (one["location"]["path"], one["message"].split("\n")[0].replace("\u2060", ""))
        for one in data["diagnostics"]
    ]


def told_json(report: str) -> list[tuple[str, str]]:
    return [(one["path"], printable(one["message"])) for one in json.loads(report)["diagnostics"]]


def told_junit(report: str) -> list[tuple[str, str]]:
    suites = ET.fromstring(report)
    told = []
    for suite in suites:
        cases = suite.findall("testcase")
        assert suite.get("tests") == str(len(cases)) and {child.tag for child in suite} == {"testcase"}
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        told += [(case.get("classname", ""), said.get("message", "")) for case in cases for said in case]
    assert suites.get("tests") == str(len(suites.findall("testsuite/testcase")))
    return told


def told_github(report: str) -> list[tuple[str, str]]:
    found = list(commands(report))
    assert len(found) == report.count("\n"), "each line is a command, and no line hides one"
    assert {one.name for one in found} <= {"error", "warning", "notice"}
    worst = [["error", "warning", "notice"].index(one.name) for one in found]
    assert worst == sorted(worst)
    for one in found:
        assert one.properties["title"].startswith("shelfread: ")
    return [(one.properties.get("file", ""), one.message.split("\n")[0]) for one in found]


class Cells(HTMLParser):
    """The text of each table's rows, by the heading above; nothing but a table's elements may stand there."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[str]]] = []
        self.heading = ""
        self.tag = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        allowed = "h2 h3 p br table thead tbody tr th td code ul li strong".split()
        assert tag in allowed, f"a list made <{tag}>"
        if tag == "tr":
            self.rows.append((self.heading, []))
        elif tag in ("td", "th"):
            self.rows[-1][1].append("")
        elif tag == "h3":
            self.heading = ""
        if tag != "code":
            self.tag = tag

    def handle_data(self, data: str) -> None:
        if self.tag == "h3":
            self.heading += data.strip("\n")
        elif self.tag in ("td", "th") and data.strip("\n"):
            self.rows[-1][1][-1] += data


def told_markdown(report: str) -> list[tuple[str, str]]:
    assert not re.search(r"[@#](?=\w)", unescape(report)), "who or what it calls hears of it"
    cells = Cells()
    cells.feed(MarkdownIt("commonmark", {"html": True}).enable(["table"]).render(report))
    assert {len(row) for _, row in cells.rows} <= {5}
    return [
        (heading.replace("\u200b", ""), row[2].replace("\u200b", ""))
        for heading, row in cells.rows
        if row[0] != "line"
    ]


def told_concise(report: str) -> list[tuple[str, str]]:
    told = []
    for line in report.splitlines():
        match = re.fullmatch(r"(.+?):\d+:\d+: (?:error|warning|info)\[[a-z/-]+\] (.*)", line)
        assert match, line
        told.append((match[1], match[2]))
    return told


RENDERED = {
    "sarif": (sarif, told_sarif),
    "gitlab": (gitlab, told_gitlab),
    "rdjson": (rdjson, told_rdjson),
    "json": (json_report, told_json),
    "junit": (junit, told_junit),
    "github": (github, told_github),
    "markdown": (markdown, told_markdown),
    "concise": (concise, told_concise),
}
PLAIN_PATH = {"sarif", "json"}
"""Formats that give a file's name as it is; the others show what can be shown."""


def written(form: str, run: Run, context: RenderContext = ALL) -> str:
    """A report as it leaves the program, and is read again."""
    lines = "".join(f"{line}\n" for line in RENDERED[form][0].render(run, context))
    return lines.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(form: str, path: str) -> str:
    if form in PLAIN_PATH:
        return path
    if form in ("gitlab", "rdjson"):
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return cleaned(form, printable(path))


def cleaned(form: str, said: str) -> str:
    return re.sub("[\ufffe\uffff]", "", said) if form == "junit" else said


def holds_all(form: str, run: Run) -> None:
    expected = Counter(
        (shown(form, one.path), cleaned(form, printable(one.message)))
        for outcome in run.outcomes
        for one in outcome.diagnostics
    )
    assert Counter(RENDERED[form][1](written(form, run))) == expected


def test_every_format_is_tested() -> None:
    assert {*RENDERED, "text"} == set(FORMATS)


@pytest.mark.parametrize("form", RENDERED)
def test_nothing_is_forged_and_nothing_hidden(form: str) -> None:
    holds_all(form, made(dict.fromkeys(NAMES, NASTY)))


@pytest.mark.parametrize("form", RENDERED)
def test_no_findings(form: str) -> None:
    holds_all(form, made({"list.md": []}))
    holds_all(form, Run((), ()))


TITLES = st.lists(st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(NASTY), max_size=4)
PATHS = st.text(st.characters(exclude_characters="/\0\\", codec="utf-8"), min_size=1, max_size=8).filter(
    lambda name: name == name.strip() and name not in (".", "..")
)


@pytest.mark.parametrize("form", RENDERED)
@given(files=st.dictionaries(PATHS, TITLES, max_size=3))
def test_any_title_and_any_name(form: str, files: dict[str, list[str]]) -> None:
    holds_all(form, made({f"{path}.md": titles for path, titles in files.items()}))


@pytest.mark.parametrize("form", ["sarif", "gitlab", "rdjson", "json", "junit", "markdown"])
def test_the_runner_finds_no_command_in_what_programs_read(form: str) -> None:
    assert list(commands(written(form, made(dict.fromkeys(NAMES, NASTY))))) == []


def test_a_junit_report_fits_jenkins_schema() -> None:
    xmlschema = pytest.importorskip("xmlschema")
    reader = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    errors = (InputError("not UTF-8 at byte 3", "broken.md", 1), InputError("away"))
    for run in (made(dict.fromkeys(NAMES, NASTY), errors), made({"list.md": []}), Run((), ())):
        reader.validate(written("junit", run))


@pytest.mark.parametrize("form", RENDERED)
def test_what_could_not_be_read_is_said(form: str) -> None:
    errors = (InputError("not UTF-8 at byte 3", "brök en.md", 7), InputError("@me is away"))
    report = written(form, made({"list.md": ["x"]}, errors))
    if form in ("concise", "json"):
        return  # standard error says it
    RENDERED[form][1](report)
    said = report.replace("&#45;", "-").replace("&#8203;", "").replace("&#64;", "@").replace("\u2060", "")
    assert "not UTF-8 at byte 3" in said and "@me is away" in said


# --------------------------------------------------------------------------------------------- fix and place


def applied(source: str, one: dict[str, Any], column: Any) -> str:
    """A text with one replacement made; `column` finds the offset in a line."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source)
    at = [
        sum(map(len, lines[: place["line"] - 1])) + column(lines[place["line"] - 1], place["column"])
        for place in (one["range"]["start"], one["range"]["end"])
    ]
    return source[: at[0]] + one["text"] + source[at[1] :]


def several() -> tuple[Source, Diagnostic, str]:
    """A fix of three edits over two lines after characters of many bytes, and what it makes."""
    source = Source("x\r\n🎉 tëh bök\rmoved\nlast", "list.md")
    edits = (
        Edit(source.text.index("moved"), source.text.index("last"), "", Effect(Change.MOVED)),
        Edit(3, 3, "moved\n", Effect(Change.MOVED)),
        Edit(source.text.index("tëh"), source.text.index("tëh") + 3, "the", Effect(Change.WORDS)),
    )
    one = finding(source, "x", 1, fix=Fix(edits, Applicability.UNSAFE))
    return source, one, "x\r\nmoved\n🎉 the bök\rlast"


def test_reviewdog_counts_bytes() -> None:
    source, one, after = several()
    data = json.loads(written("rdjson", Run((outcome(source, one),), ())))
    (suggestion,) = data["diagnostics"][0]["suggestions"]
    columns: Any = lambda line, column: len(line.encode()[: column - 1].decode())  # noqa: E731
    assert applied(source.text, suggestion, columns) == after
    assert data["diagnostics"][0]["location"]["range"] == {
        "start": {"line": 2, "column": 1},
        "end": {"line": 2, "column": 7},
    }


def test_a_fix_of_two_files_is_no_suggestion() -> None:
    source, one, _ = several()
    assert one.fix is not None
    both = one._replace(
        fix=one.fix._replace(edits=(*one.fix.edits, Edit(0, 1, "", Effect(Change.MOVED), "b.md")))
    )
    run = Run((outcome(source, both),), ())
    (diagnostic,) = json.loads(written("rdjson", run))["diagnostics"]
    assert "suggestions" not in diagnostic and "changes b.md" in diagnostic["message"]
    (fix,) = json.loads(written("sarif", run))["runs"][0]["results"][0]["fixes"]
    changes = {one["artifactLocation"]["uri"]: one["replacements"] for one in fix["artifactChanges"]}
    assert changes["b.md"] == [
        {"deletedRegion": {"charOffset": 0, "charLength": 1}, "insertedContent": {"text": ""}}
    ]


def test_sarif_fixes_and_rules() -> None:
    source, one, after = several()
    report = written("sarif", Run((outcome(source, one),), ()))
    told_sarif(report)
    (log,) = json.loads(report)["runs"]
    assert (log["columnKind"], log["newlineSequences"]) == ("unicodeCodePoints", ["\r\n", "\n", "\r"])
    (result,) = log["results"]
    assert (result["level"], result["ruleIndex"]) == ("warning", 0)
    (rule,) = log["tool"]["driver"]["rules"]
    assert (rule["id"], rule["defaultConfiguration"]) == (result["ruleId"], {"level": "error"})
    assert rule["help"]["markdown"].startswith("# paper/arxiv-agrees\n")
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "list.md", "uriBaseId": "%SRCROOT%"}
    made = source.text
    for edit in sorted(
        change["replacements"], key=lambda edit: list(edit["deletedRegion"].values()), reverse=True
    ):
        region = edit["deletedRegion"]
        start, end = (source.offset(region[f"{at}Line"], region[f"{at}Column"]) for at in ("start", "end"))
        made = made[:start] + edit["insertedContent"]["text"] + made[end:]
    assert made == after
    assert log["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_sarif_says_what_was_not_read() -> None:
    run = Run((), (InputError("not UTF-8", "a b.md", 4),), (InputError("too large", "c.md"),))
    report = written("sarif", run)
    told_sarif(report)
    (invocation,) = json.loads(report)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    error, note = invocation["toolExecutionNotifications"]
    assert (error["level"], note["level"]) == ("error", "note")
    assert error["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.md", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 4},
    }


@pytest.mark.parametrize("path", ["/elsewhere/a b.md", "../a b.md"])
def test_what_lies_outside_has_an_absolute_address(path: str, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    data = json.loads(written("sarif", made({path: ["x"]}), ALL._replace(root=str(tmp_path / "work"))))
    where = data["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where == {"uri": Path(os.path.abspath(path)).as_uri()}
    assert relative_path(path, str(tmp_path / "work")) == path


def test_fingerprints_outlive_moved_lines() -> None:
    source = Source("- a\n- b\n- b\n", "list.md")
    moved = Source("new\n\n- b\n- b\n- a\n", "list.md")

    def prints(source: Source) -> list[str]:
        found = [
            Diagnostic("x/y", Severity.ERROR, "wrong", "list.md", Span(start, start + 3))
            for start, line in zip(source.starts, source.lines, strict=True)
            if line.startswith("-")
        ]
        run = Run((outcome(source, *found),), ())
        return list(fingerprint_keys.keys(run, Severity.INFO))

    assert len(set(prints(source))) == 3
    assert set(prints(source)) == set(prints(moved))


def test_a_summary_has_its_bounds() -> None:
    run = made({"long.md": ["x" * 3000, "y"], "list.md": ["z"] * 50})
    whole = "\n".join(markdown.render(run, ALL))
    some = "\n".join(markdown.render(run, ALL, 2500))
    assert len(some.encode()) < 2600 < len(whole.encode())
    told = told_markdown(some)
    assert ("long.md", "'y' is wrong") in told
    assert f"\n{52 - len(told)} more findings in the log" in some


# ---------------------------------------------------------------------------------------- through the front door


def test_each_format_through_the_front_door(here: Path) -> None:
    for form in FORMATS:
        done = shelfread("check", "list.md", "--output-format", form)
        assert done.exit_code == 1 and "teh" in done.stdout and not done.stderr, form
        if form in RENDERED:
            assert RENDERED[form][1](done.stdout) == [("list.md", '"teh" is misspelt')]


def test_a_finding_is_known_again(here: Path) -> None:
    def prints() -> list[str]:
        results = json.loads(shelfread("check", "--output-format", "sarif").stdout)["runs"][0]["results"]
        issues = json.loads(shelfread("check", "--output-format", "gitlab").stdout)
        found = [one["partialFingerprints"]["entry/v1"] for one in results]
        assert found == [one["fingerprint"] for one in issues]
        return found

    before = prints()
    more = "- [Zero](https://zero.org) - Does teh other thing.\n"
    (here / "list.md").write_text(LIST.replace("- [One]", f"{more}- [One]"))
    after = prints()
    assert (len(before), len(after)) == (1, 2) and after[1:] == before
    assert shelfread("check", "--write-baseline", "known.json").exit_code == 0
    (here / "list.md").write_text(
        (here / "list.md").read_text() + "- [Three](https://three.org) - Is teh last.\n"
    )
    done = shelfread("check", "--baseline", "known.json", "--output-format", "sarif")
    (new,) = json.loads(done.stdout)["runs"][0]["results"]
    assert new["locations"][0]["physicalLocation"]["region"]["startLine"] == 8
    done = shelfread("fix", "--baseline", "known.json", "--output-format", "sarif")
    assert done.exit_code == 0 and told_sarif(done.stdout) == []


def test_a_file_in_a_format_and_the_text_here(here: Path) -> None:
    plain = shelfread("check", "list.md")
    done = shelfread("check", "list.md", "--output-file", "report.sarif", "--output-format", "sarif")
    assert (done.exit_code, done.stdout, done.stderr) == (1, plain.stdout, "")
    assert told_sarif((here / "report.sarif").read_text()) == [("list.md", '"teh" is misspelt')]
    assert sorted(path.name for path in here.iterdir()) == [
        ".shelfread",
        ".shelfread.yaml",
        "list.md",
        "report.sarif",
    ]
    done = shelfread("fix", "list.md", "--output-file", "report.sarif", "--output-format", "sarif")
    assert done.exit_code == 0 and told_sarif((here / "report.sarif").read_text()) == []
    assert (here / "list.md").read_text() == FIXED


def test_where_a_report_cannot_go(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "precious"
    elsewhere.write_text("precious")
    (here / "away").symlink_to(elsewhere)
    (here / "near").symlink_to("target")
    (here / "target").write_text("old")
    for file, why in [
        ("no/such/report", "no/such/report: cannot be written: the folder no/such does not exist"),
        ("away", "outside"),
        (".", "cannot be written"),
        ("list.md", "list.md: is a list: name another file"),
    ]:
        done = shelfread("check", "list.md", "--output-file", file)
        assert done.exit_code == 2 and why in done.stderr, done.stderr
    assert (elsewhere.read_text(), (here / "list.md").read_text()) == ("precious", LIST)
    assert shelfread("check", "list.md", "--output-file", "near").exit_code == 1
    assert (here / "near").is_symlink() and "teh" in (here / "target").read_text()
    assert shelfread("check", "list.md", "--output-file", os.devnull).exit_code == 1
    assert not Path(os.devnull).is_file()


@pytest.fixture
def actions(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A step of a workflow in a folder of the checkout."""
    for name, value in {
        "ACTIONS": "true",
        "WORKSPACE": str(here),
        "STEP_SUMMARY": str(here / "summary"),
        "SERVER_URL": "https://github.com",
        "REPOSITORY": "a/b",
        "SHA": "c0ffee",
    }.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    return here


def test_in_github_actions(actions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (actions / "sub dir").mkdir()
    (actions / "sub dir/list.md").write_text(LIST)
    monkeypatch.chdir(actions / "sub dir")
    done = shelfread("check")
    assert done.exit_code == 1 and done.stderr == ""
    assert done.stdout.startswith('list.md:5:33: warning[word/the] "teh" is misspelt\n')
    group, told, end = commands(done.stdout)
    assert (group.name, end.name) == ("group", "endgroup")
    assert told == (
        "warning",
        {
            "file": "sub dir/list.md", "line": "5", "endLine": "5", "col": "33", "endColumn": "36",
            "title": "shelfread: word/the",
        },
        '"teh" is misspelt\nFix (shelfread fix): the',
    )  # fmt: skip
    summary = (actions / "summary").read_text()
    assert "[5:33](https://github.com/a/b/blob/c0ffee/sub%20dir/list.md?plain=1#L5)" in summary
    shelfread("check")
    assert (actions / "summary").read_text() == summary * 2


def test_an_explicit_format_wins(actions: Path) -> None:
    for form in FORMATS:
        found = list(commands(shelfread("check", "--output-format", form).stdout))
        assert len(found) == (form == "github")
    assert not list(commands(shelfread("check", "--statistics").stdout))
    assert not (actions / "summary").exists()


def test_as_many_annotations_as_github_shows(actions: Path) -> None:
    (actions / "list.md").write_text(LIST + "- [Three](https://three.org) - Does teh.\n" * 20)
    found = Counter(one.name for one in commands(shelfread("check", "--select", "word").stdout))
    assert found == {"group": 1, "warning": 10, "endgroup": 1}
    assert shelfread("check", "--select", "word", "--output-format", "github").stdout.count("\n") == 21


def test_a_summary_that_cannot_be_written_is_a_warning(
    actions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(actions / "no/such"))
    done = shelfread("check")
    assert done.exit_code == 1
    assert "no/such: the summary cannot be written: no such file" in done.stderr


HOSTILE = (
    "# List\n\n## ##[error]forged\n\n::error::forged\n\n"
    "- [##[error]forged](https://one.org) - Does teh ::warning::thing <script>.\n"
    "- [::error::forged](https://two.org) - Does teh ##[add-mask]e.\n"
)


@pytest.mark.parametrize(
    "words", [("check",), ("check", "--diff"), ("check", "--statistics"), ("fix", "--diff")]
)
def test_a_list_gives_the_runner_no_command(actions: Path, words: tuple[str, ...]) -> None:
    names = ["::error file=a::forged.md", "##[error]forged.md", " ::notice::forged.md"]
    for name in names:
        (actions / name).write_text(HOSTILE.replace("forged", name[:-3]))
    (actions / "##[error]broken.md").write_bytes(b"\xff")
    done = shelfread(*words)
    assert done.exit_code == 2
    found = [one for one in commands(done.stdout) if one.name != "stop-commands"]
    assert list(commands(done.stderr)) == []
    if words == ("check",):
        assert found.pop(0).name == "group" and found.pop().name == "endgroup"
        assert {one.properties["title"].partition(":")[0] for one in found} == {"shelfread"}
        assert {one.properties["file"] for one in found} == {*names, "list.md", "##[error]broken.md"}
    else:
        assert found == []


def test_a_patch_from_a_workflow_applies(actions: Path) -> None:
    (actions / "other.md").write_text(LIST.rstrip("\n"))
    assert process("format", "--diff", "--isolated", "list.md").stdout == b""
    (actions / "list.md").write_text(HOSTILE)
    done = shelfread("fix", "--diff", "list.md", "other.md")
    assert "stop-commands" in done.stdout
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), check=True)
    assert "teh" not in (actions / "list.md").read_text() + (actions / "other.md").read_text()


def test_names_that_are_not_utf8(here: Path) -> None:
    name = os.fsdecode(b"\xff\n.md")
    try:
        (here / name).write_text(LIST.replace("https:", "htps:", 1))
    except OSError:
        pytest.skip("names are UTF-8 here")
    for form, (_, told) in RENDERED.items():
        done = shelfread("check", "--isolated", "--select", "link/malformed", "--output-format", form)
        assert done.exit_code == 1 and len(told(done.stdout)) == 1
    done = process("check", "--isolated", "--output-format", "sarif", cwd=here)
    assert b'"uri": "%FF%0A.md"' in done.stdout


def test_a_report_costs_only_its_own_format(here: Path) -> None:
    code = (
        "import sys; from shelfread.cli import group; group(['check', '--isolated'], standalone_mode=False);"
        "print(*sys.modules, file=sys.stderr)"
    )
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env=env, capture_output=True, text=True, check=True
    )
    formats = {f"shelfread.report.findings.{name}" for name in FORMATS.values()}
    assert formats & set(done.stderr.split()) == {"shelfread.report.findings.text"}
    assert "xml.etree" not in done.stderr.split()


def test_text_is_as_before(here: Path) -> None:
    write_page(here, "word/the", severity="info")
    hidden = shelfread("check", "--output-format", "concise")
    assert (hidden.exit_code, hidden.stdout) == (0, "")
    assert shelfread("check", "--output-format", "concise", "--show-info").stdout.count("\n") == 1
    assert "".join(text.render(made({}), RenderContext())) == ""
