"""The pages of the site: the repository's own Markdown, in the folders where it is, so that links stay as they are."""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.rulebook.metadata import RuleMetadata, read_metadata
from shelfread.taxonomy.load import load

PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs/*.md",
    "rules/README.md",
    "rules/*/*.md",
    "benchmarks/README.md",
    "benchmarks/results/*.md",
)
_ROW = re.compile(r"^\|.*\\\|.*\|$", re.MULTILINE)
_CODE = re.compile(r"(`+)(.+?)\1")
_EXAMPLE = re.compile(r"^(`{3,})(\w+) ([^`\n]+)$", re.MULTILINE)
PICTURES = ("benchmarks/results/*.svg", "docs/pictures/*.*")
INDEX = {
    "README.md": "index.md",
    "rules/README.md": "rules/index.md",
    "benchmarks/README.md": "benchmarks/index.md",
}
"""Where pages stand on the site, if not where they are."""


def stage(root: Path, folder: Path, references: Mapping[str, str], repository: str) -> None:
    """Write the pages into a folder, each with its reference at the end if `references` has one.

    Links to other files lead to `repository`, if it is given.
    """
    found = {
        path.relative_to(root).as_posix(): path for pattern in PAGES for path in sorted(root.glob(pattern))
    }
    pictures = [path for pattern in PICTURES for path in sorted(root.glob(pattern))]
    pages = {name: INDEX.get(name, name) for name in found} | {
        path.relative_to(root).as_posix(): path.relative_to(root).as_posix() for path in pictures
    }
    for name, path in found.items():
        text = rewrite(path.read_text(encoding="utf-8"), name, root, pages, repository)
        if name.startswith("rules/") and name not in INDEX:
            text = with_metadata(text, read_metadata(path, f"{path.parent.name}/{path.stem}"))
        text = _EXAMPLE.sub(_title, text)
        text = f"{text}\n{references[name]}" if name in references else text
        write(folder / pages[name], _ROW.sub(_with_bars, text))
    for path in pictures:
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def write(path: Path, text: str) -> None:
    """Write a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def rewrite(text: str, name: str, root: Path, pages: Mapping[str, str], repository: str) -> str:
    """Return a page whose links lead to pages of the site, or to the repository."""
    source = Source(text, name)
    document = read(source, load(None).vocabulary)
    folder, here = posixpath.dirname(name), posixpath.dirname(pages[name])
    for link in reversed(document.links):
        target, _, anchor = link.url.partition("#")
        if not target or ":" in target or link.form == "bare":
            continue
        path = posixpath.normpath(posixpath.join(folder, target))
        path = next((each for each in (path, f"{path}/README.md") if each in pages), path)
        if path in pages:
            url = posixpath.relpath(pages[path], here or ".") + (f"#{anchor}" if anchor else "")
            changed = text[link.start : link.end].replace(f"({link.url})", f"({url})")
        elif repository:
            kind = "tree" if (root / path).is_dir() else "blob"
            url = f"{repository}/{kind}/main/{path}"
            changed = text[link.start : link.end].replace(f"({link.url})", f"({url})")
        else:
            changed = text[link.start + 1 : link.end].partition("](")[0]
        text = text[: link.start] + changed + text[link.end :]
    return text


def _title(fence: re.Match[str]) -> str:
    """Return the fence of an example with the words after its language as its title."""
    marks, language, words = fence.groups()
    return f'{marks}{language} title="{words.replace(chr(34), "")}"'


def _with_bars(row: re.Match[str]) -> str:
    """Return a row of a table with its code as HTML: the generator would show the backslash before a bar."""
    return _CODE.sub(_as_html, row[0])


def _as_html(code: re.Match[str]) -> str:
    text = re.sub(r"[^\w\s]", lambda mark: f"&#{ord(mark[0])};", code[2].replace(r"\|", "|"))
    return f"<code>{text}</code>"


def with_metadata(text: str, rule: RuleMetadata) -> str:
    """Return the page of a rule with what its front matter says, as `shelfread rule` shows it."""
    presets = ", ".join(rule.presets) or "none: runs only if selected"
    table = f"| severity | presets | fix |\n|---|---|---|\n| {rule.severity.label} | {presets} | {rule.fix or 'none'} |\n"
    heading = f"# {rule.id}\n"
    return text.replace(heading, f"{heading}\n{table}", 1)
