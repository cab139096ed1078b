"""When entries were added, by reading only what changed, is what a full comparison of each commit finds."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from shelfread.changes.additions import find_additions, walk_commits
from shelfread.changes.listed import ListedEntry, list_entries
from shelfread.changes.matching import pair_entries
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from support.gitrepo import repo
from support.project import BARE

__all__ = ["repo"]

Lists = dict[str, list[str]]


def make_history(seed: int, commits: int) -> Iterator[tuple[Lists, str]]:
    """Lists after each commit, as rows by file, and their bullet: entries come, go, come back, move and change."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("bcdfglmnprst", k=1) + chance.choices("aeiou", k=1)) for _ in range(40)]
    lists: Lists = {"README.md": []}
    gone: list[str] = []
    bullet = "-"
    for number in range(commits):
        name = chance.choice(sorted(lists))
        rows = lists[name]
        deed = chance.choices(("add", "remove", "return", "move", "reword", "link", "style", "split", "rename"),
                              (50, 6, 3, 12, 10, 10, 1, 1, 1))[0]  # fmt: skip
        place = chance.randrange(len(rows) + 1)
        if deed == "add" or not rows:
            title = " ".join("".join(chance.choices(words, k=3)).title() for _ in range(6))
            paper = f"{title} (OSDI 20{10 + number % 15}) [[Paper](https://arxiv.org/abs/{1000 + number}.{number:05})]"
            tool = f"[{title.split()[0]}](https://{title.split()[0].lower()}{number}.org) - {title.capitalize()}."
            rows.insert(place, chance.choice((paper, paper, tool)))
        elif deed == "remove":
            gone.append(rows.pop(place - 1))
        elif deed == "return" and gone:
            rows.insert(place, gone.pop())
        elif deed == "move":
            row = rows.pop(place - 1)
            lists[chance.choice(sorted(lists))].append(row)
        elif deed == "reword":
            rows[place - 1] = rows[place - 1].replace("a", "e", 1)
        elif deed == "link":
            rows[place - 1] = rows[place - 1].replace(
                "https://arxiv.org/abs/", "https://papers.example.org/v2/"
            )
        elif deed == "style":
            bullet = "*" if bullet == "-" else "-"
        elif deed == "split" and len(rows) > 10 and len(lists) < 4:
            lists[f"more{number}.md"] = rows[:4]
            del rows[:4]
        elif deed == "rename":
            lists[f"list{number}.md"] = lists.pop(name)
        yield {name: list(rows) for name, rows in lists.items()}, bullet


def write(rows: list[str], bullet: str) -> str:
    parts = ["# Papers\n", *(f"\n## Part {part}\n" for part in "AB")]
    half = len(rows) // 2
    body = ["".join(f"{bullet} {row}\n" for row in part) for part in (rows[:half], rows[half:])]
    return f"{parts[0]}{parts[1]}\n{body[0]}{parts[2]}\n{body[1]}"


def make_repository(folder: Path, history: list[dict[str, str]]) -> None:
    """Commits, of which the number is the time."""
    lines = []
    for number, texts in enumerate(history, start=1):
        lines.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {number} +0000\ndata 1\nx\ndeleteall\n"
        )
        for name, text in texts.items():
            lines.append(f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n")
    subprocess.run(
        ["git", "-C", str(folder), "fast-import", "--quiet"], input="".join(lines).encode(), check=True
    )


def entries_of(texts: dict[str, str]) -> list[ListedEntry]:
    return list_entries(read_version(name, text) for name, text in sorted(texts.items()))


@cache
def read_version(name: str, text: str) -> Document:
    """The document of a file, which a commit changes one of."""
    return read(Source(text, name), BARE.vocabulary)


def find_naively(history: list[dict[str, str]]) -> dict[str, int]:
    """The commit of each entry of today by its text: every version is read, and compared with the one before."""
    known: dict[str, int] = {}
    before: list[tuple[ListedEntry, int]] = []
    for number, texts in enumerate(history, start=1):
        after = entries_of(texts)
        added_by = dict(before)
        pairs = {pair.after: pair.before for pair in pair_entries([entry for entry, _ in before], after)}
        now = []
        for entry in after:
            first = [known[key] for key in entry.keys if key in known]
            if entry in pairs:
                first.append(added_by[pairs[entry]])
            added = min(first, default=number)
            for key in entry.keys:
                known[key] = min(added, known.get(key, added))
            now.append((entry, added))
        before = now
    return {entry.text: added for entry, added in before}


def find_from_changes(folder: Path, texts: dict[str, str]) -> dict[str, int]:
    found, missing, *_ = find_additions(entries_of(texts), walk_commits(str(folder)), BARE.vocabulary)
    assert not missing
    return {addition.entry.text: addition.commit.seconds for addition in found}


@pytest.mark.parametrize(
    ("seed", "commits"), [(1, 40), *(pytest.param(seed, 80, marks=pytest.mark.slow) for seed in (2, 3, 4))]
)
def test_only_what_changed_is_enough(seed: int, commits: int, repo: Path) -> None:
    history = [
        {name: write(rows, bullet) for name, rows in lists.items()}
        for lists, bullet in make_history(seed, commits)
    ]
    make_repository(repo, history)
    naive, found = find_naively(history), find_from_changes(repo, history[-1])
    assert found == {text: naive[text] for text in found}
    assert found.keys() == naive.keys()
    assert len(found) > commits // 4


def test_copies_of_an_entry_that_shares_its_link_with_another_one(repo: Path) -> None:
    link = "(https://github.com/ada/exercises)"
    parts = "".join(f"\n## {name}\n\n- [Homework for All]{link}\n" for name in "AB")
    text = f"# Course\n\n- [Exercises of the Book]{link}\n{parts}"
    make_repository(repo, [{"README.md": text}])
    assert len(find_from_changes(repo, {"README.md": text})) == 2
