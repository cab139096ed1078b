"""One hostile list through the front door, in every format that leaves the program, each read back by a reader of its own."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import bibtexparser
import cmarkgfm
import pytest
import rispy
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt
from rdflib import RDF, SKOS, Graph

from shelfread.cli.options import FORMATS
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine import load_save
from shelfread.markdown.node import Tree
from shelfread.report.rendering import printable
from shelfread.taxonomy.vocabulary import Vocabulary
from support.command_line import shelfread
from support.gitrepo import commit, put, repo
from support.hostile import NAMES, TEXTS, bibliography, hostile_list
from support.many_lists import kept_processes
from support.reports import SARIF
from support.workflow import commands

__all__ = ["kept_processes", "repo"]

CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0001-\U000e007f]"
)
"""What no output has as it is, but for line ends and tabs."""
WEB = re.compile(r"(?i)https?://|#|mailto:|[\w./%-]*$")


class Page(HTMLParser):
    """The elements of a page; none may run code, load something, or lead elsewhere than to the web."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.shown: list[str] = []
        self.comments: list[str] = []
        self.tags: set[str] = set()
        self._in = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._in = tag
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("srcdoc", "background", "formaction"), (
                tag,
                name,
                value,
            )
            if name in ("href", "src", "action", "data", "poster", "xlink:href"):
                assert WEB.match(value or "") or value == "data:,", (tag, name, value)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = ""

    def handle_data(self, data: str) -> None:
        if self._in == "script":
            self.scripts[-1] += data
        elif self._in not in ("code", "style", "a"):
            self.shown.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def read_page(text: str) -> None:
    page = Page(text)
    assert not page.tags & {"iframe", "object", "embed", "base", "img", "svg", "evil"}, page.tags
    for script in page.scripts:
        if "evil" in script:
            json.loads(script)


def read_list(text: str) -> None:
    """Markdown as it is rendered with all of its HTML, by two programs: no picture, no comment that hides."""
    for page in rendered(text):
        assert not page.tags & {"img", "script", "iframe", "svg", "object", "evil", "style"}, page.tags
        assert not [comment for comment in page.comments if "evil" in comment]


def read_markdown(text: str) -> None:
    """What is posted somewhere: nobody is called either."""
    read_list(text)
    for page in rendered(text):
        for shown in page.shown:
            assert not re.search(r"(?<![\w/@.])@evil|(?<!\w)#1\b|GH-1\b", shown), shown


def rendered(text: str) -> Iterator[Page]:
    yield Page(MarkdownIt("commonmark", {"html": True}).enable(["table"]).render(text))
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    yield Page(cmarkgfm.github_flavored_markdown_to_html(text, options=options))


def read_json(text: str) -> None:
    json.loads(text)
    assert "##[" not in text


def read_lines(text: str) -> None:
    for line in text.splitlines():
        read_json(line)


def read_sarif(text: str) -> None:
    SARIF.validate(json.loads(text))


def read_bibtex(text: str) -> None:
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks and len(library.entries) == text.count("\n@") + text.startswith("@")
    assert {entry.entry_type for entry in library.entries} <= {
        "inproceedings",
        "article",
        "misc",
        "techreport",
        "software",
        "online",
        "book",
        "unpublished",
    }
    for entry in library.entries:
        for field in entry.fields:
            if field.key in ("url", "doi", "eprint"):
                assert not set(str(field.value)) & set("\\{} \n"), field
                continue
            named = set(re.findall(r"\\([A-Za-z]+)", str(field.value)))
            assert named <= {
                "textbackslash",
                "ensuremath",
                "lbrace",
                "rbrace",
                "textasciitilde",
                "textasciicircum",
                "textasciigrave",
            }, named
            assert "^^" not in str(field.value)
            assert not re.search(r"(?<!\\)[%#&$]", str(field.value)), field


def read_ris(text: str) -> None:
    records = rispy.loads(text)
    assert len(records) == len(re.findall(r"(?m)^TY  - ", text)) == len(re.findall(r"(?m)^ER  - ", text))
    assert all(re.match(r"[A-Z][A-Z0-9]  - |$", line) for line in text.splitlines())
    assert "EVIL" not in {record["type_of_reference"] for record in records}


def read_csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert {len(row) for row in rows} == {len(rows[0])} and len(rows) > 1
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if re.match(r"[=+\-@\t\r\n＝＋－＠]", cell)]


def read_atom(text: str) -> None:
    root = ET.fromstring(text)
    space = "{http://www.w3.org/2005/Atom}"
    assert {element.tag.removeprefix(space) for element in root.iter()} <= {
        "feed", "generator", "id", "title", "updated", "author", "name", "entry", "published", "link", "category", "content",
    }  # fmt: skip
    assert len(root.findall(f"{space}entry")) > 10
    assert all(WEB.match(link.get("href", "")) for link in root.iter(f"{space}link"))
    assert {content.get("type") for content in root.iter(f"{space}content")} == {"text"}


def read_turtle(text: str) -> None:
    graph = Graph().parse(data=text, format="turtle")
    assert len(set(graph.subjects(RDF.type, SKOS.Concept))) == len(TEXTS)


def read_terminal(text: str) -> None:
    """What people read as it is: all that counts is that nothing controls the terminal or the runner."""


def read_diff(text: str) -> None:
    """Its names are quoted as git quotes them."""
    for line in text.splitlines():
        if line.startswith(("--- ", "+++ ")):
            assert line.isprintable(), line


READERS: dict[str, Callable[[str], None]] = {
    "markdown": read_markdown,
    "list": read_list, "json": read_json, "jsonl": read_lines, "csl-json": read_json, "sarif": read_sarif, "skos": read_turtle,
    "bibtex": read_bibtex, "ris": read_ris, "csv": read_csv, "atom": read_atom, "page": read_page, "diff": read_diff,
}  # fmt: skip
RUNS: dict[str, tuple[str, tuple[str, ...]]] = {
    **{f"check {form}": (form, ("check", "--show-info", "--output-format", form)) for form in FORMATS},
    "check --statistics": ("text", ("check", "--statistics")),
    **{f"links {form}": (form, ("links", "--offline", "--output-format", form)) for form in FORMATS},
    **{f"diff {form}": (form, ("diff", "HEAD~", "--output-format", form)) for form in ("text", "json", "markdown")},
    **{f"export {form}": (form, ("export", "--format", form)) for form in ("json", "jsonl", "csl-json", "bibtex", "ris", "csv")},
    "export markdown": ("list", ("export", "--format", "markdown")),
    "export skos": ("skos", ("export", "--format", "skos", "--taxonomy", "tree.yaml")),
    **{f"import {form}": (form, ("import", "papers.bib", "--format", form)) for form in ("json", "csl-json", "bibtex", "ris", "csv")},
    "import markdown": ("list", ("import", "papers.bib")),
    "import --into": ("diff", ("import", "papers.bib", "--into", "README.md", "--section", "Addresses", "--diff")),
    **{f"taxonomy {words}": ("text", ("taxonomy", *words.split())) for words in ("map .", "show . --taxonomy tree.yaml", "check tree.yaml")},
    **{f"taxonomy diff {form}": (form, ("taxonomy", "diff", "HEAD~:tree.yaml", "tree.yaml", "--format", form)) for form in ("text", "json")},
    "export --annotate": ("text", ("export", "--annotate")),
    **{f"feed {form}": (form, ("feed", "--format", form)) for form in ("atom", "json", "markdown")},
    "page": ("page", ("page", "--with-findings", "--output-file", "out")),
    "fix --diff": ("diff", ("fix", "--diff", "--unsafe-fixes")),
    "format --diff": ("diff", ("format", "--diff")),
}  # fmt: skip


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with the list in its history, and under every name that it can have."""
    with pytest.MonkeyPatch.context() as patch:
        root = repo.__wrapped__(tmp_path_factory.mktemp("hostile"), patch)  # type: ignore[attr-defined]
        text = hostile_list()
        patch.setenv("GIT_AUTHOR_NAME", "=evil() <script>evil()</script> @evil")
        commit({"README.md": "# A list\n", ".gitignore": "out*\n", "tree.yaml": "concepts: {}\n"})
        for number, name in enumerate(NAMES):
            Path(name).write_text(
                f"# Names\n\n- [Named {number}](https://example.org/{number}) - Does teh thing.\n", "utf-8"
            )
        concepts = {
            f"c{number}": {
                "prefLabel": f"{number} {printable(text)}",
                "definition": f"Is\n  {printable(text)}",
            }
            for number, text in enumerate(TEXTS)
        }
        put({"papers.bib": bibliography(), "tree.yaml": json.dumps({"concepts": concepts})})
        commit({"README.md": text})

        @cache
        def known(text: str, path: str | None, vocabulary: Vocabulary) -> Document:
            return read(Source(text, path), vocabulary)

        def read_once(source: Source, vocabulary: Vocabulary, tree: Tree | None = None) -> Document:
            """Read the list once, and not for each of its outputs."""
            return replace(known(source.text, source.path, vocabulary), source=source)

        patch.setattr(load_save, "read", read_once)
        yield root


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_an_output_is_inert(name: str, lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form, words = RUNS[name]
    monkeypatch.chdir(lists)
    if form != "diff":
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
    done = shelfread(*words)
    assert done.exit_code in (0, 1), done.output
    text = Path("out").read_bytes().decode() if "out" in words else done.stdout
    assert any(sign in text for sign in ("evil", "README.md", "text/encoding", "tree.yaml")), (
        "nothing of the list is in it"
    )
    for printed in (text, done.stderr) if form != "diff" else (done.stderr,):  # a patch is for `git apply`
        assert not (found := CONTROL.search(printed)), repr(
            printed[max(0, found.start() - 60) : found.end() + 20]
        )
        if form not in ("page", "diff"):
            forged = [
                one
                for one in commands(printed)
                if "evil" in one.name or not one.properties.get("title", "").startswith("shelfread: ")
            ]
            assert not forged
    READERS.get(form, read_terminal)(text)


@pytest.fixture(scope="module")
def audits(lists: Path, kept_processes: None) -> Iterator[Path]:
    """The tables and the page of an audit, in each format, of lists whose folders have hostile names too."""
    folder = lists.parent / "audited"
    for number, name in enumerate(NAMES):
        (folder / name).mkdir(parents=True)
        text = (
            hostile_list() if number < 2 else "# List\n\n- [One](https://one.example.org) - Does teh thing.\n"
        )
        (folder / name / f"README {name}").write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder.parent)
        for form in ("jsonl", "csv", "parquet"):
            done = shelfread("audit", "audited", "--output", f"out-{form}", "--format", form)
            assert done.exit_code == 0 and not CONTROL.search(done.stderr), done.output
    yield folder.parent


@pytest.mark.slow
def test_the_tables_of_an_audit_are_inert(audits: Path) -> None:
    from pyarrow import parquet

    for path in sorted((audits / "out-jsonl").glob("*.jsonl")):
        text = path.read_bytes().decode()
        assert not CONTROL.search(text)
        rows = [json.loads(line) for line in text.splitlines()]
        table = parquet.read_table(audits / "out-parquet" / f"{path.stem}.parquet").to_pylist()
        assert len(table) == len(rows) and [row.get("list") for row in table] == [
            row.get("list") for row in rows
        ]
        if rows:
            read_csv((audits / "out-csv" / f"{path.stem}.csv").read_bytes().decode())
    read_page((audits / "out-jsonl/index.html").read_bytes().decode())
