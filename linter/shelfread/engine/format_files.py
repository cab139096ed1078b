"""Format the files of projects, each by the configuration of its project."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import FileKind, classify
from shelfread.format.format import format_source
from shelfread.format.guide import NAME, read_guide
from shelfread.format.result import FormatResult, unchanged
from shelfread.format.style import EntryStyle, Guide, Style
from shelfread.project.files import Project

if TYPE_CHECKING:
    from shelfread.format.entries.house_style import Counts


class FormattedFile(NamedTuple):
    """A file and its formatted text; what is left alone is not changed."""

    source: Source
    result: FormatResult
    kind: FileKind

    @property
    def changed(self) -> bool:
        return self.result.text != self.source.text


def format_files(
    projects: Iterable[Project], entry_style: EntryStyle | None, unsaved: Mapping[str, bytes]
) -> Iterator[FormattedFile | UserError]:
    """Yield the formatted files, and the error of each file that cannot be read; nothing is written.

    `entry_style` replaces that of the configurations, `unsaved` the contents of files.
    """
    for project in projects:
        style = Style(**{key.replace("-", "_"): value for key, value in project.config.format.items()})
        style = style._replace(entry=entry_style) if entry_style else style
        style = style._replace(guide=_read_guide(project, unsaved))
        files = (_read(path, unsaved) for path in project.reported)
        if style.entry == "keep":
            for file in files:
                yield (
                    _formatted(file, partial(format_source, style=style))
                    if isinstance(file, Source)
                    else file
                )
        else:
            yield from _restyled(list(files), project, style, unsaved)


def _read(path: str, unsaved: Mapping[str, bytes]) -> Source | UserError:
    try:
        return Source.from_bytes(unsaved[path] if path in unsaved else read_bytes(path), path)
    except UserError as error:
        return error


def _read_guide(project: Project, unsaved: Mapping[str, bytes]) -> Guide:
    """Return what the contributing guide of a project states: that of the topmost folder, if it has several."""
    paths = {path for path in (*project.reported, *project.others) if NAME.fullmatch(os.path.basename(path))}
    for folder in {os.path.dirname(path) for path in project.reported} if not paths else ():
        for parent in (folder, os.path.join(folder, ".github"), os.path.join(folder, "docs")):
            with suppress(OSError):
                paths |= {
                    os.path.join(parent, name) for name in os.listdir(parent or ".") if NAME.fullmatch(name)
                }
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        file = _read(path, unsaved)
        if isinstance(file, Source):
            return read_guide(file.text)
    return Guide()


def _restyled(
    files: list[Source | UserError], project: Project, style: Style, unsaved: Mapping[str, bytes]
) -> Iterator[FormattedFile | UserError]:
    """Yield files whose entries are formatted as most entries of the project are."""
    from shelfread.format.entries.apply_style import count_entry_forms, format_entries
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
            yield _formatted(file, partial(format_entries, style=style, taxonomy=taxonomy, counts=others))
        else:
            yield file


def _formatted(file: Source, format_text: Callable[[Source], FormatResult]) -> FormattedFile:
    kind = classify(file)
    result = unchanged(file) if kind.is_left_alone else format_text(file)
    return FormattedFile(file, result, kind)
