"""The examples of the rules' pages, run one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.cross_file import apply_across
from shelfread.fixes.rounds import fix_text, least_applicability
from shelfread.fixes.select import FixState, with_fixes
from shelfread.index.answers import Answers
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.binding import bind
from shelfread.rulebook.metadata import load_rules
from shelfread.taxonomy.load import load as load_taxonomy
from shelfread.taxonomy.taxonomy import Taxonomy
from support.answers import judged
from support.page_examples import Example, read_page
from support.works import stated_works

CARDS = load_rules()
PAGES = {id: read_page(card.page) for id, card in CARDS.items()}
EXAMPLES = [(id, example) for id, page in PAGES.items() for example in page.examples]


class Trial:
    """One example in a folder of its own, with its rule alone and those that it wants beside it."""

    def __init__(self, id: str, example: Example, folder: Path) -> None:
        self.id = id
        self.example = example
        self.taxonomy = _taxonomy(example.taxonomy, folder)
        self.rules = [bind(CARDS[id], example.options), *(bind(CARDS[one]) for one in example.with_rules)]
        self.answers = Answers(judged(example.web, id), stated_works(example.works))
        self.lists = {name: text for name, text in example.files.items() if name.endswith(".md")}

    def find(self, texts: Mapping[str, str]) -> Iterator[tuple[Document, list[Diagnostic]]]:
        documents = [read(Source(text, path), self.taxonomy.vocabulary) for path, text in texts.items()]
        known = {document.source.path or "": facts(document) for document in documents}
        whole = build_context(known, self.taxonomy, answers=self.answers)
        for document in documents:
            found = lint(document, whole, self.rules, CARDS)
            yield document, [one for one in found if one.rule == self.id]

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

        least = least_applicability(CARDS[self.id].fix != "safe")
        while True:
            states = {
                document.source.path or "": FixState(document.source, document.tree, found)
                for document, found in self.find(texts)
            }
            fixes = [fix for state in states.values() for fix in with_fixes(state, least, cross_file=True)]
            joint = apply_across(states, fixes)
            assert not joint.dropped, joint.dropped
            if not joint.changed:
                return texts
            texts.update({path: source.text for path, source in joint.changed.items()})


def _taxonomy(named: str | None, folder: Path) -> Taxonomy:
    if named is not None and "\n" in named:
        (folder / "taxonomy.yaml").write_text(named, encoding="utf-8")
        named = "taxonomy.yaml"
    return load_taxonomy(named)
