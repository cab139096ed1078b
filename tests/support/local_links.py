"""Runs rules over lists on disk, in a git work tree."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import lint
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.markdown.node import Tree
from shelfread.rulebook.metadata import BoundRule, bind, load_rules
from shelfread.taxonomy.load import load as load_taxonomy

CARDS = load_rules()


def git(*words: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *settings, *words], check=True, capture_output=True)


def commit(message: str = "change") -> None:
    git("add", "--all")
    git("commit", "--quiet", "--message", message)


def write(files: Mapping[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")


def find(rule: str, path: str, *, slugs: str = "github", others: tuple[str, ...] = ()) -> list[Diagnostic]:
    return diagnose(bind(CARDS[rule]), Source(Path(path).read_text(encoding="utf-8"), path), slugs, others)[1]


def fixed(rule: str, path: str, *, unsafe: bool = False) -> str:
    """The text as the fix leaves it; a second run finds nothing to change."""
    bound = bind(CARDS[rule])

    def run(text: str) -> str:
        result = fix_text(Source(text, path), lambda source: _parsed(*diagnose(bound, source)), unsafe=unsafe)
        assert not result.dropped
        return result.text

    text = run(Path(path).read_text(encoding="utf-8"))
    assert run(text) == text
    return text


def diagnose(
    rule: BoundRule, source: Source, slugs: str = "github", others: tuple[str, ...] = ()
) -> tuple[Document, list[Diagnostic]]:
    taxonomy = load_taxonomy()
    document = read(source, taxonomy.vocabulary)
    known = {source.path or "": facts(document)}
    for other in others:
        known[other] = facts(
            read(Source(Path(other).read_text(encoding="utf-8"), other), taxonomy.vocabulary)
        )
    return document, lint(document, build_context(known, taxonomy, slugs), [rule], CARDS)


def _parsed(document: Document, found: list[Diagnostic]) -> tuple[Tree, list[Diagnostic]]:
    return document.tree, found


def messages(found: list[Diagnostic]) -> list[str]:
    return [one.message for one in found]
