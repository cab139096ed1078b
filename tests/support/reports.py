"""Runs with hostile findings, and readers of the formats of their reports."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote_to_bytes

from jsonschema import Draft202012Validator, FormatChecker
from markdown_it import MarkdownIt

from shelfread.cli.report import lines
from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.errors import InputError
from shelfread.core.source import Source
from shelfread.engine.fingerprint import Fingerprint
from shelfread.engine.model import FileResult, RunResult
from shelfread.report.rendering import RenderContext, printable
from shelfread.rulebook.metadata import load_rules
from support.paths import DATA
from support.workflow import commands

SCHEMAS = DATA / "schemas"

ALL = RenderContext(min_severity=Severity.INFO, catalogue=load_rules)

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
    return FileResult(source.path or "", source, found, 1, 0, ("core",), fingerprints=prints)


def made(files: dict[str, list[str]], errors: tuple[InputError, ...] = ()) -> RunResult:
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
    return RunResult(tuple(outcomes), errors)


def read_sarif(report: str) -> list[tuple[str, str]]:
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


def read_json(report: str) -> list[tuple[str, str]]:
    return [(one["path"], printable(one["message"])) for one in json.loads(report)["diagnostics"]]


def read_github(report: str) -> list[tuple[str, str]]:
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
        allowed = "h2 h3 p br table thead tbody tr th td code ul li strong details summary".split()
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


def read_markdown(report: str) -> list[tuple[str, str]]:
    assert not re.search(r"[@#](?=\w)", unescape(report)), "who or what it calls hears of it"
    cells = Cells()
    cells.feed(MarkdownIt("commonmark", {"html": True}).enable(["table"]).render(report))
    assert {len(row) for _, row in cells.rows} <= {5}
    return [
        (heading.replace("\u200b", ""), row[2].replace("\u200b", ""))
        for heading, row in cells.rows
        if row[0] != "line"
    ]


def read_full(report: str) -> list[tuple[str, str]]:
    """The first lines of the findings; the summary is the last block."""
    blocks = report.split("\n\n")[:-1]
    return read_concise("\n".join(block.split("\n")[0] for block in blocks))


def read_concise(report: str) -> list[tuple[str, str]]:
    told = []
    for line in report.splitlines():
        match = re.fullmatch(r"(.+?):\d+:\d+: (?:error|warning|info)\[[a-z/-]+\] (.*)", line)
        assert match, line
        told.append((match[1], match[2]))
    return told


READERS = {
    "sarif": read_sarif,
    "json": read_json,
    "github": read_github,
    "markdown": read_markdown,
    "concise": read_concise,
    "full": read_full,
}

PLAIN_PATH = {"sarif", "json"}
"""Formats that give a file's name as it is; the others show what can be shown."""


def written(form: str, run: RunResult, context: RenderContext = ALL) -> str:
    """A report as it leaves the program, and is read again."""
    text = "".join(f"{line}\n" for line in lines(run, context, form))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(form: str, path: str) -> str:
    if form in PLAIN_PATH:
        return path
    return printable(path)


def holds_all(form: str, run: RunResult) -> None:
    expected = Counter(
        (shown(form, one.path), printable(one.message))
        for outcome in run.files
        for one in outcome.diagnostics
    )
    assert Counter(READERS[form](written(form, run))) == expected


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


WORDS = Effect(Change.WORDS, "teh", "the")


def found(source: str, what: str, *edits: Edit, rule: str = "word/the", **changes: object) -> Diagnostic:
    start = source.index(what)
    fields: dict[str, object] = {
        "rule": rule,
        "severity": Severity.WARNING,
        "message": f"{what} is misspelt",
        "path": "list.md",
        "span": Span(start, start + len(what)),
        "fix": Fix(edits, Applicability.SAFE) if edits else None,
    }
    return Diagnostic(**{**fields, **changes})  # type: ignore[arg-type]


def edit(source: str, what: str, new: str, change: Change = Change.WORDS) -> Edit:
    start = source.index(what)
    return Edit(start, start + len(what), new, Effect(change, what, new))


def run(source: str, *diagnostics: Diagnostic, **changes: object) -> RunResult:
    outcome = FileResult("list.md", Source(source, "list.md"), diagnostics, 3, 5, ("core", "papers"))
    return RunResult((outcome._replace(**changes),), ())  # type: ignore[arg-type]
