"""Format the files of projects, each by the configuration of its project."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import FileKind, classify
from shelfread.document.generated import Generated, find_generated, find_said, read_generated
from shelfread.engine.check import read_base
from shelfread.format.format import format_source
from shelfread.format.result import EntryStyle, FormatResult, Style, unchanged
from shelfread.project.files import Project

if TYPE_CHECKING:
    from shelfread.format.house_style import Counts
    from shelfread.project.history import BaseRevision

_GUIDES = lazy(r"(?i)(?:contributing|(?:pull|merge)[-_ ]?request[-_ ]?template)\.(?:md|markdown|mdown|mkd)")


class FormattedFile(NamedTuple):
    """A file and its formatted text; what is left alone is not changed."""

    source: Source
    result: FormatResult
    kind: FileKind
    generated: Generated | None = None  # what it is made from, if it is a list that is made from other files

    @property
    def changed(self) -> bool:
        return self.result.text != self.source.text


def format_files(
    projects: Iterable[Project],
    entry_style: EntryStyle | None,
    unsaved: Mapping[str, bytes],
    since: str | None = None,
) -> Iterator[FormattedFile | UserError]:
    """Yield the formatted files, of which only lines changed `since` a commit differ, and an error for each unreadable one."""
    for project in projects:
        base = read_base(project, since, unsaved)
        style = Style(**{key.replace("-", "_"): value for key, value in project.config.format.items()})
        style = style._replace(entry=entry_style) if entry_style else style
        guides = _read_guides(project, unsaved)
        files = (_read(path, unsaved) for path in project.reported)
        formatted = (
            _restyled(list(files), project, style, unsaved, base)
            if style.entry != "keep"
            else (_formatted(file, partial(format_source, style=style), base) for file in files)
        )
        for file in formatted:
            if isinstance(file, FormattedFile) and file.changed:
                said = find_said(file.source.path or "", read_generated(file.source.text), guides)
                yield file._replace(result=unchanged(file.source), generated=said) if said else file
            else:
                yield file


def _read(path: str, unsaved: Mapping[str, bytes]) -> Source | UserError:
    try:
        return Source.from_bytes(unsaved[path] if path in unsaved else read_bytes(path), path)
    except UserError as error:
        return error


def _read_guides(project: Project, unsaved: Mapping[str, bytes]) -> list[tuple[str, Mapping[str, Generated]]]:
    """Return what the contributing guides and the pull request templates of a project say is generated."""
    paths = {
        path for path in (*project.reported, *project.others) if _GUIDES.fullmatch(os.path.basename(path))
    }
    for folder in {os.path.dirname(path) for path in project.reported} if not paths else ():
        for parent in (folder, os.path.join(folder, ".github"), os.path.join(folder, "docs")):
            with suppress(OSError):
                paths |= {
                    os.path.join(parent, name)
                    for name in os.listdir(parent or ".")
                    if _GUIDES.fullmatch(name)
                }
    read = (_read(path, unsaved) for path in sorted(paths))
    return [
        (file.path or "", find_generated(classify(file), file.text))
        for file in read
        if isinstance(file, Source)
    ]


def _restyled(
    files: list[Source | UserError],
    project: Project,
    style: Style,
    unsaved: Mapping[str, bytes],
    base: BaseRevision | None,
) -> Iterator[FormattedFile | UserError]:
    """Yield files whose entries are formatted as most entries of the project are."""
    from shelfread.format.restyle import count_entry_forms, format_entries
    from shelfread.taxonomy.load import load

    taxonomy = load(project.config.taxonomy)
    counts: dict[str | None, Counts] = {}
    total: Counts = Counter()
    if len(files) + len(project.others) > 1:
        for file in (*files, *(_read(path, unsaved) for path in project.others)):
            if isinstance(file, Source):
                counts[file.path] = count_entry_forms(file, style, taxonomy)
                total.update(counts[file.path])
    for file in files:
        if isinstance(file, Source):
            others = total - counts.get(file.path, Counter())
            format_text = partial(format_entries, style=style, taxonomy=taxonomy, counts=others)
            yield _formatted(file, format_text, base)
        else:
            yield file


def _formatted(
    file: Source | UserError, format_text: Callable[..., FormatResult], base: BaseRevision | None
) -> FormattedFile | UserError:
    if isinstance(file, UserError):
        return file
    kind = classify(file)
    touched = None if base is None else base.changed_lines(file)
    result = unchanged(file) if kind.is_left_alone else format_text(file, touched=touched)
    return FormattedFile(file, result, kind)
