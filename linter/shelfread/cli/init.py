"""`shelfread init`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shelfread.cli import output
from shelfread.cli.options import paths
from shelfread.core.errors import InputError
from shelfread.core.support.plurals import counted

if TYPE_CHECKING:
    from shelfread.engine.infer.config import Project

_CONFIG = ".shelfread.yaml"
_TAXONOMY = "taxonomy.yaml"


@click.command
@paths
@click.option("--taxonomy", is_flag=True, help=f"Also write a taxonomy of the subjects to {_TAXONOMY}.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], taxonomy: bool, force: bool) -> None:
    """Write a configuration file, .shelfread.yaml, that fits the lists: their kind and their conventions.

    PATH is a file or a folder; the default is the current folder. The configuration is written to the folder that
    contains all of them.
    """
    from shelfread.core.atomic_write import write_new
    from shelfread.engine.infer.config import infer_config, learn_rules
    from shelfread.engine.infer.taxonomy import infer_taxonomy
    from shelfread.engine.infer.trial import findings
    from shelfread.rulebook.metadata import load

    folder = _folder(paths)
    targets = [folder / _CONFIG, *([folder / _TAXONOMY] if taxonomy else [])]
    for target in targets:
        if os.path.lexists(target) and not force:
            raise InputError("exists already: use --force to overwrite it", target.as_posix())
    project = _read(paths, folder)
    cards = load().values()
    silent: Mapping[str, int] = {}
    if taxonomy:
        text = infer_taxonomy(list(project.documents.values()), project.whole)
        silent = findings(text, project.documents.values(), cards)
        write_new(targets[1], text.encode(), overwrite=force)
    text = infer_config(project, learn_rules(cards, project), _TAXONOMY if taxonomy else None, silent)
    write_new(targets[0], text.encode(), overwrite=force)
    entries = sum(len(document.entries) for document in project.documents.values())
    source = f"{counted(len(project.documents), 'list')} with {counted(entries, 'entry', 'entries')}"
    for target in targets:
        output.print_lines([f"{os.path.relpath(target)}: written from {source}"])


def _folder(paths: Sequence[str]) -> Path:
    """Return the innermost folder that contains all paths."""
    for path in paths:
        if not os.path.lexists(path):
            raise InputError("no such file or folder", path)
    folders = [
        os.path.realpath(path if os.path.isdir(path) else os.path.dirname(path) or ".") for path in paths
    ]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def _read(paths: Sequence[str], folder: Path) -> Project:
    """Read the lists, named relative to the folder. Raises InputError if there are none."""
    from shelfread.core.source import Source, read_bytes
    from shelfread.document.read import read
    from shelfread.engine.infer.config import Project
    from shelfread.index.facts import facts
    from shelfread.index.index import survey
    from shelfread.project.files import find_projects
    from shelfread.taxonomy.load import load

    projects, errors = find_projects([*paths] or ["."], isolated=True)
    if errors:
        raise errors[0]
    bare = load()
    files = sorted(path for project in projects for path in project.reported)
    names = {file: os.path.relpath(file, folder).replace(os.sep, "/") for file in files}
    documents = {
        name: read(Source.from_bytes(read_bytes(file), name), bare.vocabulary) for file, name in names.items()
    }
    lists = {name: document for name, document in documents.items() if document.entries}
    if not lists:
        raise InputError("no list found: there are no entries to learn from", str(folder))
    whole = survey({name: facts(document) for name, document in lists.items()}, bare)
    return Project(lists, documents.keys() - lists.keys(), whole)
