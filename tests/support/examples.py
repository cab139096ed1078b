"""The examples on the rules' pages, which are their tests (see docs/writing-rules.md), read and run one by one."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.differences import GONE, align
from shelfread.core.errors import RuleError
from shelfread.core.source import Source
from shelfread.core.yaml_files import YamlFile
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.answers import Answers
from shelfread.index.context import BaseProject, BaseText, build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import bind, load_rules, split_page
from shelfread.taxonomy.load import load as load_taxonomy
from shelfread.taxonomy.taxonomy import Taxonomy
from support.answers import judged, stated_works

FILE = "list.md"
"""The name of an example's file if its fence names none."""


@dataclass(slots=True)
class Example:
    """Lists in which the rule reports something or, if `good`, nothing; `line` is its line on the page."""

    line: int
    good: bool
    files: dict[str, str] = field(default_factory=dict)
    report: list[str] = field(default_factory=list)
    """`[file:]line:column message`, one for each diagnostic."""
    fixed: dict[str, str] = field(default_factory=dict)
    """The files that the fix changes, after it."""
    options: dict[str, Any] = field(default_factory=dict)
    taxonomy: str | None = None
    """A bundled taxonomy's name, or a taxonomy's YAML."""
    with_rules: tuple[str, ...] = ()
    """The ids of rules that run as well, without being reported."""
    base: dict[str, str] = field(default_factory=dict)
    """The lists at the commit since which findings are reported; empty if all are."""
    works: list[str] = field(default_factory=list)
    """What sources of bibliographic data say, one work a line: `KEY SOURCE TITLE key=value` (see docs/writing-rules.md)."""
    web: list[str] = field(default_factory=list)
    """The answers of the web, one line for each link: `URL status URL status` (see docs/writing-rules.md)."""


class Page(NamedTuple):
    """A rule's page without its front matter; `prose` has the fences as written."""

    prose: str
    examples: tuple[Example, ...]


class _Fence(NamedTuple):
    language: str
    role: str
    words: tuple[tuple[str, str], ...]
    text: str
    line: int


_ROLES = {"bad", "good", "report", "fixed", "taxonomy", "file", "base", "web", "works"}


def read_page(path: Path) -> Page:
    """Return a page's prose and examples; raises RuleError with file and line for a wrong fence."""
    front, body = split_page(path)
    first = front.count("\n") + 4
    return Page(body.strip() + "\n", tuple(_examples(_fences(body, first, path), path)))


def _fences(body: str, first: int, path: Path) -> Iterable[_Fence]:
    from markdown_it import MarkdownIt

    for token in MarkdownIt("commonmark").parse(body):
        if token.type != "fence" or token.map is None:
            continue
        line = first + token.map[0]
        try:
            words = shlex.split(token.info)
        except ValueError as error:
            raise RuleError(f"the fence's info string: {error}", path.as_posix(), line) from None
        if len(words) < 2:
            continue
        if words[1] not in _ROLES:
            raise RuleError(
                f"a fence must be one of {', '.join(sorted(_ROLES))}, not '{words[1]}'", path.as_posix(), line
            )
        pairs = tuple((key, value) for key, _, value in (word.partition("=") for word in words[2:]))
        yield _Fence(words[0], words[1], pairs, token.content, line)


def _examples(fences: Iterable[_Fence], path: Path) -> Iterable[Example]:
    example: Example | None = None
    taxonomy: str | None = None
    web: list[str] = []
    works: list[str] = []
    base: dict[str, str] = {}
    last = ""
    for fence in fences:
        if fence.role == "taxonomy":
            taxonomy = fence.text
            continue
        if fence.role == "web":
            web = fence.text.splitlines()
            continue
        if fence.role == "works":
            works = fence.text.splitlines()
            continue
        named = dict(fence.words).get("file")
        if fence.role == "base":
            base[named or FILE] = fence.text
            continue
        opens = fence.role in ("bad", "good")
        if opens and not (last == fence.role and example and named and named not in example.files):
            if example:
                yield example
            example = Example(fence.line, fence.role == "good", taxonomy=taxonomy, web=web, works=works)
            example.base, base = base, {}
        if example is None:
            raise RuleError(f"'{fence.role}' has no example above it", path.as_posix(), fence.line)
        if opens:
            example.files[named or FILE] = fence.text
            _take_words(example, fence, path)
        elif fence.role == "file":
            example.files[named or FILE] = fence.text
            continue
        elif fence.role == "report":
            example.report += fence.text.splitlines()
        else:
            example.fixed[named or next(iter(example.files))] = fence.text
        last = fence.role
    if example:
        yield example


def _take_words(example: Example, fence: _Fence, path: Path) -> None:
    for key, value in fence.words:
        if key == "taxonomy":
            example.taxonomy = value
        elif key == "with":
            example.with_rules = tuple(value.split(","))
        elif key != "file":
            example.options[key] = YamlFile(value, path.as_posix(), RuleError, fence.line).data


CARDS = load_rules()
PAGES = {id: read_page(card.page) for id, card in CARDS.items()}


def own_folder(example: Example, parent: Path) -> Path:
    """Make a folder with the files of an example."""
    folder = parent / str(example.line)
    for name, text in example.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


class Trial:
    """One example in the working directory, with its rule alone and those that it wants beside it."""

    def __init__(self, id: str, example: Example) -> None:
        self.id = id
        self.example = example
        self.taxonomy = _taxonomy(example.taxonomy)
        self.rules = [bind(CARDS[id], example.options), *(bind(CARDS[one]) for one in example.with_rules)]
        self.answers = Answers(judged(example.web, id), stated_works(example.works))
        self.lists = {name: text for name, text in example.files.items() if name.endswith(".md")}

    def find(self, texts: Mapping[str, str]) -> Iterator[tuple[Document, list[Diagnostic]]]:
        documents = [read(Source(text, path), self.taxonomy.vocabulary) for path, text in texts.items()]
        known = {document.source.path or "": facts(document) for document in documents}
        whole = build_context(known, self.taxonomy, answers=self.answers)
        if self.example.base:
            whole = whole.since(self._base(documents))
        for document in documents:
            found = lint(document, whole, self.rules, CARDS)
            yield document, [one for one in found if one.rule == self.id]

    def _base(self, documents: Iterable[Document]) -> BaseProject:
        """Return the project before the change to these documents."""
        before = {
            path: read(Source(text, path), self.taxonomy.vocabulary)
            for path, text in self.example.base.items()
        }
        texts = {
            path: BaseText(before[path], align(before[path].source.lines, document.source.lines))
            for document in documents
            if (path := document.source.path or "") in before
        }
        context = build_context({path: facts(each) for path, each in before.items()}, self.taxonomy)
        paths = {path: path if path in before else None for path in self.lists}
        changed = {path: [line == GONE for line in text.lines] for path, text in texts.items()}
        return BaseProject(context, paths, lambda document: texts.get(document.source.path or ""), changed)

    def report(self) -> list[str]:
        """`line:column message`, in an example of several files after the file's name."""
        lines = []
        for document, found in self.find(self.lists):
            name = f"{document.source.path}:" if len(self.lists) > 1 else ""
            for one in found:
                line, column = document.source.position(one.span.start)
                lines.append(f"{name}{line}:{column} {one.message}")
        return lines

    def fixed(self) -> dict[str, str]:
        """Every file as the fix leaves it, unsafe ones included; one after the other."""
        texts = dict(self.lists)
        for path in self.lists:

            def diagnose(source: Source, path: str = path) -> tuple[Tree, list[Diagnostic]]:
                found = dict(zip(texts, self.find({**texts, path: source.text}), strict=True))
                return found[path][0].tree, found[path][1]

            result = fix_text(Source(texts[path], path), diagnose, unsafe=CARDS[self.id].fix != "safe")
            assert not result.dropped, result.dropped
            texts[path] = result.text
        return texts


def _taxonomy(named: str | None) -> Taxonomy:
    if named is not None and "\n" in named:
        Path("taxonomy.yaml").write_text(named, encoding="utf-8")
        named = "taxonomy.yaml"
    return load_taxonomy(named)
