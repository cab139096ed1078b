"""The metadata of rules: the front matter of their pages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import RuleError, UserError, reason_of
from shelfread.core.folders import RULES
from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import YamlFile, load_cached

PRESETS = ("core", "papers", "awesome", "strict", "taxonomy", "online", "complete")
# The presets of rules that need the network, and the command that runs them.
NETWORK_PRESETS = {"online": "links", "complete": "complete"}
SEVERITIES = {severity.label: severity for severity in reversed(Severity)}

_MAX_BYTES = 1 << 20
_ID = lazy(r"[a-z0-9]+(?:-[a-z0-9]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")


class RuleMetadata(NamedTuple):
    """What a page's front matter says about its rule; see schema/rule.schema.json."""

    id: str
    summary: str
    severity: Severity  # the highest that its check may give; a check may lower it for a diagnostic
    presets: tuple[str, ...]  # empty: the rule runs only if it is selected
    # `link.insecure` is the function `insecure` of a module in checks/link/; None: the engine's own.
    check: str | None
    options: Mapping[str, object]
    # the texts of its diagnostics by name; a rule with one text has it under the empty name.
    messages: Mapping[str, str]
    fix: str | None  # safe, unsafe, mixed (the check decides) or None
    # of several diagnostics at the same place the one with the highest precedence is reported.
    precedence: int
    # the topic of the convention that the rule learns; the modules of index/ that observe have the topics.
    convention: str | None
    # what its findings depend on: `entry` (the entry or lines they are in), `structure` (also headings,
    # anchors, definitions and other files) or `list` (anything in the project).
    scope: str
    page: Path
    custom: bool  # from a list's own .shelfread/rules: its options are checked when it is bound

    @property
    def family(self) -> str:
        return self.id.partition("/")[0]

    @property
    def subject(self) -> str:
        """What the rule checks for, in the plural: `HTTP links to hosts that serve HTTPS`."""
        what = self.summary.removesuffix(".")
        return what.removeprefix("Checks for ") if what.startswith("Checks for ") else f"findings: {what}"


def load_rules(folder: Path = RULES, custom: bool = False) -> dict[str, RuleMetadata]:
    """Return the metadata of the pages `<family>/<name>.md` in a folder, by id and in order of ids.

    Raises RuleError for a custom page that is wrong; bundled pages are checked by the tests.
    """
    pages = {id: folder / f"{id}.md" for id in sorted(_find_ids(folder))}
    if custom:
        return {id: read_metadata(page, id, custom) for id, page in pages.items()}
    data = load_cached(folder, pages.values(), lambda page: _read_front_matter(page)[0].data)
    return {id: _metadata(id, data[f"{id}.md"], page, custom) for id, page in pages.items()}


def read_metadata(page: Path, id: str, custom: bool = False) -> RuleMetadata:
    """Return the metadata of one page; raises RuleError with file and line if the page is wrong."""
    from shelfread.core.json_schema import validate

    file, front, body = _read_front_matter(page)
    if not _ID.fullmatch(id):
        raise RuleError(
            f"'{id}' is not a rule id: use lower-case letters, digits and single hyphens", file.path
        )
    if not body.lstrip().startswith(f"# {id}\n"):
        line = front.count("\n") + 4 + body[: len(body) - len(body.lstrip())].count("\n")
        raise RuleError(f"the page's heading must be '# {id}', like its path", file.path, line)
    validate(file, "rule")
    return _metadata(id, file.data, page, custom)


def _read_front_matter(page: Path) -> tuple[YamlFile, str, str]:
    front, body = split_page(page)
    return YamlFile(front, page.as_posix(), RuleError, line=2), front, body


def _metadata(id: str, data: Mapping[str, Any], page: Path, custom: bool) -> RuleMetadata:
    """Return the metadata in a front matter that fits its schema."""
    return RuleMetadata(
        id=id,
        summary=data["summary"],
        severity=SEVERITIES[data["severity"]],
        presets=tuple(data.get("presets", ())),
        check=data.get("check"),
        options=data.get("options", {}),
        messages=message if isinstance(message := data["message"], dict) else {"": message},
        fix=data.get("fix"),
        precedence=data.get("precedence", 0),
        convention=data.get("convention"),
        scope=data.get("scope", "entry"),
        page=page,
        custom=custom,
    )


def page_error(rule: RuleMetadata, message: str, keys: Sequence[str]) -> UserError:
    """Return the error about the value at `keys` of a rule's page."""
    return _read_front_matter(rule.page)[0].fail(message, keys)


def split_page(page: Path) -> tuple[str, str]:
    """Return front matter and body of a page; raises RuleError if it has no front matter."""
    try:
        with page.open(encoding="utf-8-sig") as stream:
            text = stream.read(_MAX_BYTES)
    except OSError as error:
        raise RuleError(f"cannot be read: {reason_of(error)}", page.as_posix()) from None
    except UnicodeDecodeError:
        raise RuleError("not UTF-8: save the page as UTF-8", page.as_posix()) from None
    front, end, body = text.partition("\n---\n")
    if not end or not front.startswith("---\n"):
        raise RuleError("a rule page begins with front matter between two lines '---'", page.as_posix(), 1)
    return front[4:], body


def read_prose(page: Path) -> str:
    """Return a page without its front matter; raises RuleError if it cannot be read."""
    return split_page(page)[1].strip() + "\n"


def _find_ids(folder: Path) -> Iterator[str]:
    """Yield the ids of a folder's pages; links are not followed, since the folder may be untrusted."""
    if not folder.is_dir():
        return
    for family in os.scandir(folder):
        if family.is_dir(follow_symlinks=False):
            for page in os.scandir(family):
                if page.name.endswith(".md") and page.is_file(follow_symlinks=False):
                    yield f"{family.name}/{page.name[:-3]}"
