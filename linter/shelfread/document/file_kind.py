"""What a Markdown file is: a list, or a file beside it such as a template, a licence or a changelog."""

from __future__ import annotations

import re
from enum import Enum

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.years import MONTH

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")  # of the names of Markdown files


class FileKind(Enum):
    """What a file is; the value is what reports call it."""

    LIST = "list"
    GUIDE = "contributing guide"
    TEMPLATE = "template"
    PULL_REQUEST_TEMPLATE = "pull request template"
    ISSUE_TEMPLATE = "issue template"
    LICENCE = "licence"
    CODE_OF_CONDUCT = "code of conduct"
    CHANGELOG = "changelog"
    REPORT = "report of shelfread"

    @property
    def is_left_alone(self) -> bool:
        """Whether a file is checked for broken links only, and never changed."""
        return self not in (FileKind.LIST, FileKind.GUIDE)

    @property
    def is_comment_template(self) -> bool:
        """Whether its text becomes a comment on GitHub, where no relative URL works."""
        return self in (FileKind.PULL_REQUEST_TEMPLATE, FileKind.ISSUE_TEMPLATE)

    @property
    def explains_entries(self) -> bool:
        """Whether it has examples of entries, such as `[name](link)`."""
        return self in (FileKind.GUIDE, FileKind.TEMPLATE) or self.is_comment_template


_IS_LIST = lazy(r"<!--\s*shelfread-list\s*-->")
# Files with these names are never lists, whatever they have.
_NAMES = (
    (FileKind.PULL_REQUEST_TEMPLATE, lazy(r"(?:(?:pull|merge)[-_ ]?request|pr)[-_ ]?template")),
    (FileKind.ISSUE_TEMPLATE, lazy(r"(?:issue|bug[-_ ]report|feature[-_ ]request)[-_ ]?template")),
    (
        FileKind.CHANGELOG,
        lazy(
            r"(?:latest[-_ ])?changes?[-_ ]?logs?\b|release[-_ ]?notes?\b|latest[-_ ]changes$|[更变][新更]日志"
        ),
    ),
    (
        FileKind.GUIDE,
        lazy(
            r"contributing|contribution[-_ ]?guid|how[-_ ]to[-_ ]contribute|.*style-?guide|贡献指南"
            r"|(?:claude|agents|gemini|copilot-instructions)$"
        ),
    ),
    (
        FileKind.TEMPLATE,
        lazy(
            r"_?template$|(?:.*[-_. ])?readme[-_. ]template$|template[-_. ]readme$"
            r"|.*\.(?:te?mpl|tpl|template|j2|jinja2?|hbs|mustache)$"
        ),
    ),
)
# Files with these names are no lists unless they list links: a list can be about licences or templates.
_NAMES_OF_TEXTS = (
    (
        FileKind.LICENCE,
        lazy(
            r"licen[cs]e(?:[-_. ](?:mit|apache|cc|bsd|a?l?gpl|mpl|isc|code|content|docs?|data|text|[a-z]{2}$).*)?$"
            r"|(?:mit|apache|bsd|gpl|cc0?|cc[-_]by)[-_. ].*licen[cs]e$|unlicen[cs]e$|copying(?:[-_. ]\w+)?$"
            r"|third[-_. ]party[-_. ](?:licen[cs]es?|notices?)$"
        ),
    ),
    (FileKind.CODE_OF_CONDUCT, lazy(r"(?:.*[-_. ])?code[-_. ]?of[-_. ]?conduct(?:[-_. ][^\W_]+)*$|conduct$")),
    (FileKind.TEMPLATE, lazy(r"(?:.*[-_. ])?template$|template[-_. ]")),
)
_COMMENT_FOLDERS = (
    (FileKind.PULL_REQUEST_TEMPLATE, lazy(r"(?:^|/)(?:pull|merge)_request_templates?/")),
    (FileKind.ISSUE_TEMPLATE, lazy(r"(?:^|/)(?:issue|discussion)_templates?/")),
)
_TEMPLATE_FOLDER = lazy(r"(?:^|/)_?(?:templates?|tmpl)/|\{\{")
_HISTORY_NAME = lazy(
    r"(?:latest[-_ ])?(?:history|changes|releases|news|updates?|(?:update|change)?[-_ ]?log)$"
)
# A file that its name dates, or gives a version, in the folder of a history: `history/2021-03-04_changes.md`.
_HISTORY_FILE = lazy(
    r"(?:^|/)(?:history|changes|changelogs?|releases?|release[-_]notes)/[^/]*\d+[-_.]\d+[^/]*$"
)

_START = 3000  # how much of a file shows that it is a licence, a code of conduct or a changelog
_LICENCES = (
    "permission is hereby granted, free of charge",
    "redistribution and use in source and binary forms",
    "everyone is permitted to copy and distribute verbatim copies",
    "this is free and unencumbered software",
    "terms and conditions for use, reproduction, and distribution",
)
# These, and what a changelog says, are looked for in lower case, which is faster than a pattern for any case.
_CREATIVE_COMMONS = lazy(r"creative commons corporation\b.{0,9} is not a law firm")
_CONDUCT_TITLE = lazy(r"(?im)\A\s*(?:#+ |<h1[^>]*>).*(?:code of conduct|contributor covenant)")
_CONDUCT = lazy(r"(?i)\bharass|\bpledge\b")
_CHANGELOG = lazy(r"\ball notable changes to\b|\bkeepachangelog\.com\b")
_HEADING = lazy(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)
_ITEM = lazy(r"^[-*+][ \t]+(.+)$", re.MULTILINE)
_UNDECIDED = lazy(r"^[ \t]+<!-- section: [^\n]{0,400} \| \? -->", re.MULTILINE)
_MONTH = rf"{MONTH}\.?"
_DATE = (
    rf"(?:(?:19|20)\d\d[-./年]\d{{1,2}}(?:[-./月]\d{{1,2}}日?)?|{_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(?:19|20)\d\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? (?:19|20)\d\d)"
)
_VERSION = r"(?:version |release )?v?\d+\.\d+(?:\.\d+)*[\w.-]*"
_RELEASE = lazy(
    rf"(?i)\W*(?:unreleased|{_DATE}|{_VERSION}(?:\W+{_DATE})?)(?:\W*|\W+(?:update|release|changes)s?\W*)$"
)
_LONGEST = 80  # of a heading, only so much is compared with a date or a version
_DATED = lazy(rf"(?i)\W*{_DATE}\b")

_LINK_ITEM = lazy(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\**\[[^\]\n]+\]\(https?://", re.MULTILINE)
_MIN_LINK_ITEMS = 5
# The address of a link that a generator fills in. Shortcodes of site generators, `{{< ref >}}`, are none.
_PLACEHOLDER = lazy(r"\]\((?:@\w{1,80}|\{\{[^<}\n][^}\n]{0,80}\}\}|\$?\{\w[^}\n]{0,80}\}|<%[^>\n]{0,80}%>)\)")
_PLACEHOLDER_URL = lazy(r"^@\w+$|[{}<>]|%[sd](?![\da-f])")
_MIN_PLACEHOLDERS = 3
_LOOP = lazy(r"\{%-?[ \t]*for\b")
_CODE = lazy(r"^[ \t]*(```|~~~).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)


def classify(source: Source) -> FileKind:
    """Return what a file is, by its path and its text. What nothing tells apart is a list."""
    text = source.text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "shelfread-list" in text and _IS_LIST.search(text):
        return FileKind.LIST
    if text.startswith("<!-- Written by shelfread") or _is_rest(text):
        return FileKind.REPORT
    path = (source.path or "").replace("\\", "/").lower()
    folder, _, name = path.rpartition("/")
    stem = re.sub(r"\.\w+$", "", name)
    return _by_name(f"{folder}/", stem, text) or _by_text(path, stem, text) or FileKind.LIST


def _is_rest(text: str) -> bool:
    """Return whether most items have no section yet: what `shelfread import` has left for a person to decide."""
    undecided = len(_UNDECIDED.findall(text)) if "| ? -->" in text else 0
    return undecided > 0 and undecided * 2 >= len(_ITEM.findall(text))


def is_placeholder(url: str) -> bool:
    """Return whether a URL of a template is to be filled in: `@repository`, `https://example.net/{{ name }}`, `%s`."""
    return _PLACEHOLDER_URL.search(url) is not None


def _by_name(folder: str, stem: str, text: str) -> FileKind | None:
    for kind, folders in _COMMENT_FOLDERS:
        if folders.search(folder):
            return kind
    for kind, names in _NAMES:
        if names.match(stem):
            return kind
    for kind, names in _NAMES_OF_TEXTS:
        if names.match(stem) and not _lists_links(text):
            return kind
    if stem.startswith("readme"):
        return None
    if _TEMPLATE_FOLDER.search(folder) and not _lists_links(text):
        return FileKind.TEMPLATE
    return FileKind.GUIDE if folder.endswith(".github/") else None


def _by_text(path: str, stem: str, text: str) -> FileKind | None:
    if _is_template(text):
        return FileKind.TEMPLATE
    if stem.startswith("readme"):
        return None
    start = text[:_START]
    lower = start.lower()
    is_licence = any(words in lower for words in _LICENCES) or (
        "creative commons corporation" in lower and _CREATIVE_COMMONS.search(lower)
    )
    if is_licence and not _lists_links(text):
        return FileKind.LICENCE
    if _CONDUCT_TITLE.match(start) and _CONDUCT.search(start) and not _lists_links(text):
        return FileKind.CODE_OF_CONDUCT
    if _HISTORY_FILE.search(path):
        return FileKind.CHANGELOG
    says_so = "changes to" in lower or "keepachangelog" in lower
    if (_HISTORY_NAME.match(stem) or (says_so and _CHANGELOG.search(lower))) and _is_history(text):
        return FileKind.CHANGELOG
    return None


def _is_template(text: str) -> bool:
    """Return whether links, or a loop over them, are to be filled in; what code shows is an example."""
    if not ("](@" in text or "](<%" in text or "](${" in text or "]({" in text or "{%" in text):
        return False
    text = _CODE.sub("", text)
    if loop := _LOOP.search(text):
        link = _PLACEHOLDER.search(text, loop.end())
        if link is not None and "endfor" in text[link.end() :]:
            return True
    placeholders = len(_PLACEHOLDER.findall(text))
    return placeholders >= _MIN_PLACEHOLDERS and placeholders * 10 >= text.count("](")


def _is_history(text: str) -> bool:
    """Return whether most headings, or most items, are dates or versions; a year alone is no date."""
    headings = _HEADING.findall(text)[1:] or _HEADING.findall(text)
    if len(headings) >= 2:
        releases = sum(_RELEASE.match(heading[:_LONGEST]) is not None for heading in headings)
        if releases >= 2 and releases * 3 >= len(headings):
            return True
    items = _ITEM.findall(text)
    return len(items) >= 3 and sum(_DATED.match(item) is not None for item in items) * 2 > len(items)


def _lists_links(text: str) -> bool:
    items = _LINK_ITEM.finditer(text)
    return sum(1 for _ in zip(items, range(_MIN_LINK_ITEMS), strict=False)) == _MIN_LINK_ITEMS
