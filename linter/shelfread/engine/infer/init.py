"""The command `init`: read lists, infer a configuration and a taxonomy, write them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from shelfread.core.atomic_write import write_new
from shelfread.core.errors import InputError
from shelfread.core.source import Source, read_bytes
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.infer.config import InferredProject, infer_config, learn_rules
from shelfread.engine.infer.taxonomy import infer_taxonomy
from shelfread.engine.lint import lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.index.presets import find_presets
from shelfread.project.files import find_projects
from shelfread.rulebook.binding import bind
from shelfread.rulebook.metadata import RuleMetadata, load_rules
from shelfread.taxonomy.load import load

CONFIG = ".shelfread.yaml"
TAXONOMY = "taxonomy.yaml"


class Written(NamedTuple):
    """The files that were written, and the number of lists and entries that they were inferred from."""

    files: Sequence[Path]
    lists: int
    entries: int


def init(paths: Sequence[str], *, taxonomy: bool, force: bool) -> Written:
    """Write a configuration, and with `taxonomy` a taxonomy, to the folder of the lists.

    Raises InputError if there is no list, or if a file exists already and `force` is not given.
    """
    folder = _folder(paths)
    targets = [folder / CONFIG, *([folder / TAXONOMY] if taxonomy else [])]
    for target in targets:
        if os.path.lexists(target) and not force:
            raise InputError("exists already: use --force to overwrite it", target.as_posix())
    project = _read(paths, folder)
    rules = load_rules().values()
    disabled: Mapping[str, int] = {}
    if taxonomy:
        text = infer_taxonomy(list(project.documents.values()), project.context)
        disabled = _try_taxonomy(text, project.documents.values(), rules)
        write_new(targets[1], text.encode(), overwrite=force)
    text = infer_config(project, learn_rules(rules, project), TAXONOMY if taxonomy else None, disabled)
    write_new(targets[0], text.encode(), overwrite=force)
    entries = sum(len(document.entries) for document in project.documents.values())
    return Written(targets, len(project.documents), entries)


def _folder(paths: Sequence[str]) -> Path:
    for path in paths:
        if not os.path.lexists(path):
            raise InputError("no such file or folder", path)
    folders = (path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths or ["."])
    return Path(os.path.commonpath(map(os.path.realpath, folders)))


def _read(paths: Sequence[str], folder: Path) -> InferredProject:
    """Return the lists, with paths from the folder; raises InputError if there are none."""
    projects, errors = find_projects([*paths] or ["."], isolated=True)
    if errors:
        raise errors[0]
    taxonomy = load()
    files = sorted(path for project in projects for path in project.reported)
    names = {file: os.path.relpath(file, folder).replace(os.sep, "/") for file in files}
    documents = {
        name: read(Source.from_bytes(read_bytes(file), name), taxonomy.vocabulary)
        for file, name in names.items()
    }
    lists = {name: document for name, document in documents.items() if document.entries}
    if not lists:
        raise InputError("no list found: there are no entries to learn from", str(folder))
    context = build_context({name: facts(document) for name, document in lists.items()}, taxonomy)
    return InferredProject(lists, documents.keys() - lists.keys(), context, find_presets(context))


def _try_taxonomy(text: str, documents: Iterable[Document], rules: Iterable[RuleMetadata]) -> Counter[str]:
    """Return how many findings each rule of the preset `taxonomy` has with the taxonomy in `text`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "taxonomy.yaml"
        path.write_text(text, encoding="utf-8")
        taxonomy = load(str(path))
    documents = [read(document.source, taxonomy.vocabulary) for document in documents]
    context = build_context({document.source.path or "": facts(document) for document in documents}, taxonomy)
    bound = [bind(rule) for rule in rules if "taxonomy" in rule.presets]
    return Counter(finding.rule for document in documents for finding in lint(document, context, bound))
