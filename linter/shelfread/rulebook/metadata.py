"""Rule pages, as far as a run needs them: their front matter."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import RuleError, UserError
from shelfread.core.support.regex import lazy
from shelfread.core.support.resources import RULES
from shelfread.core.support.strict_yaml import YamlFile
from shelfread.core.support.yaml_cache import load_cached

PRESETS = ("core", "papers", "awesome", "strict", "taxonomy", "online")
ONLINE = "online"
"""The preset of what only the web can tell, which `links` alone asks."""
SEVERITIES = {severity.label: severity for severity in reversed(Severity)}
FIXES = ("safe", "unsafe", "mixed")

_MAX_BYTES = 1 << 20
_ID = lazy(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")


class RuleMetadata(NamedTuple):
    """What a page's front matter says of its rule."""

    id: str
    summary: str
    severity: Severity
    """The most that its check may give; a check may lower it for one finding."""
    presets: tuple[str, ...]
    """In none: only where it is selected."""
    check: str | None
    """`links.malformed` is the function malformed of checks/links.py; None: no check of a list finds it."""
    options: Mapping[str, object]
    message: str
    fix: str | None
    """safe, unsafe, mixed (the check says which), None."""
    precedence: int
    """Of the findings of one and the same place the greatest speaks."""
    habit: str | None
    """What it learns from: the kind of question in survey/habits.py that tells the list's form."""
    page: Path
    own: bool
    """From a list's own .shelfread/rules: its options are checked when it is bound."""

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]


def load(folder: Path = RULES, own: bool = False) -> dict[str, RuleMetadata]:
    """The cards of a folder's pages `<family>/<name>.md`, by id and in order of ids."""
    pages = {id: folder / f"{id}.md" for id in sorted(_ids(folder))}
    if own:
        return {id: read_card(page, id, own) for id, page in pages.items()}
    fronts = load_cached(folder, pages.values(), lambda page: _front(page)[0].data)
    return {id: _trusted(id, fronts[f"{id}.md"], page) for id, page in pages.items()}


def read_card(page: Path, id: str, own: bool = False) -> RuleMetadata:
    """The card of one page; raises RuleError with file and line for what the page gets wrong."""
    file, head, body = _front(page)
    if not _ID.fullmatch(id):
        raise RuleError(f"'{id}' is no rule id: small letters, digits and single hyphens", file.path)
    if not body.lstrip().startswith(f"# {id}\n"):
        line = head.count("\n") + 4 + body[: len(body) - len(body.lstrip())].count("\n")
        raise RuleError(f"the page's heading is to be '# {id}', as its path says", file.path, line)
    if not isinstance(file.data, dict):
        raise file.fail("the front matter is to be keys and values")
    return _card(file, id, page, own)


def _front(page: Path) -> tuple[YamlFile, str, str]:
    head, body = split(page)
    return YamlFile(head, page.as_posix(), RuleError, line=2), head, body


def _trusted(id: str, front: Mapping[str, Any], page: Path) -> RuleMetadata:
    """The card of a bundled page, which the tests have read as a stranger's."""
    return RuleMetadata(
        id,
        front["summary"],
        SEVERITIES[front["severity"]],
        tuple(front.get("presets", ())),
        front.get("check"),
        front.get("options", {}),
        front["message"],
        front.get("fix"),
        front.get("precedence", 0),
        front.get("habit"),
        page,
        False,
    )


def fault(card: RuleMetadata, message: str, keys: Sequence[str]) -> UserError:
    """The error to raise about the value at `keys` of a card's page."""
    return YamlFile(split(card.page)[0], card.page.as_posix(), RuleError, line=2).fail(message, keys)


def split(page: Path) -> tuple[str, str]:
    """Front matter and body of a page; raises RuleError where it has none."""
    try:
        with page.open(encoding="utf-8-sig") as stream:
            text = stream.read(_MAX_BYTES)
    except OSError as error:
        raise RuleError(f"cannot be read: {error.strerror}", page.as_posix()) from None
    except UnicodeDecodeError:
        raise RuleError("not UTF-8: save the page as UTF-8", page.as_posix()) from None
    head, end, body = text.partition("\n---\n")
    if not end or not head.startswith("---\n"):
        raise RuleError("a rule page begins with front matter between two lines '---'", page.as_posix(), 1)
    return head[4:], body


def _ids(folder: Path) -> Iterator[str]:
    """The ids of a folder's pages; links are not followed: a stranger's folder is read with this too."""
    if not folder.is_dir():
        return
    for family in os.scandir(folder):
        if family.is_dir(follow_symlinks=False):
            for page in os.scandir(family):
                if page.name.endswith(".md") and page.is_file(follow_symlinks=False):
                    yield f"{family.name}/{page.name[:-3]}"


def _card(file: YamlFile, id: str, page: Path, own: bool) -> RuleMetadata:
    data = dict(file.data)

    def take(key: str, kind: type, default: object = None) -> object:
        value = data.pop(key, default)
        if value is None and default is None:
            raise file.fail(f"'{key}' is missing")
        if type(value) is not kind:
            raise file.fail(f"'{key}' is to be {_KINDS[kind]}", [key])
        return value

    def among(key: str, value: object, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            raise file.fail(f"'{key}' is one of {', '.join(allowed)}, not '{value}'", [key])
        return str(value)

    presets = take("presets", list, [])
    assert isinstance(presets, list)
    precedence = take("precedence", int, 0)
    options = take("options", dict, {})
    assert isinstance(precedence, int) and isinstance(options, dict)
    fix, check = data.pop("fix", None), data.pop("check", None)
    card = RuleMetadata(
        id=id,
        summary=str(take("summary", str)),
        severity=SEVERITIES[among("severity", take("severity", str), tuple(SEVERITIES))],
        presets=tuple(among("presets", preset, PRESETS) for preset in presets),
        check=None if check is None else str(check),
        options=options,
        message=str(take("message", str)),
        fix=None if fix is None else among("fix", fix, FIXES),
        precedence=precedence,
        habit=None if (habit := data.pop("habit", None)) is None else str(habit),
        page=page,
        own=own,
    )
    for key in data:
        from shelfread.core.support.suggest import did_you_mean

        known = [field for field in RuleMetadata._fields if field not in ("id", "page", "own")]
        raise file.fail(f"unknown key '{key}'{did_you_mean(key, known)}", [key], key=True)
    return card


_KINDS = {str: "text", int: "a whole number", list: "a list", dict: "keys and values"}
