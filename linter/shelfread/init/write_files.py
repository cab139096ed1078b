"""The command `init`: read lists, infer a configuration and a taxonomy, write them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import InputError, TaxonomyError
from shelfread.core.file_writing import write_new
from shelfread.core.git import run
from shelfread.core.patterns import lazy
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import FileKind
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import is_backup, lint
from shelfread.index.context import build_context
from shelfread.index.facts import facts
from shelfread.index.page_kinds import find_presets
from shelfread.init.inference_limits import MAX_FINDINGS, MAX_NAMED
from shelfread.init.inferred_config import InferredProject, infer_config, learn_rules
from shelfread.init.inferred_taxonomy import Home, Inference, InferredTaxonomy
from shelfread.init.taxonomy_lines import render_taxonomy
from shelfread.mapping.adopt import TAXONOMY
from shelfread.mapping.mapped_headings import find_headings
from shelfread.mapping.subject_names import label_of, make_ids
from shelfread.project.config import NAME
from shelfread.project.files import find_projects
from shelfread.rulebook.binding import bind
from shelfread.rulebook.metadata import RuleMetadata, load_rules
from shelfread.taxonomy.label_index import Resolution
from shelfread.taxonomy.load import load, load_text
from shelfread.taxonomy.taxonomy import Taxonomy

_REMOTE = lazy(r"(?:\w+://)?(?:[^@/]*@)?(?P<host>[\w.-]+)(?::\d+/|[:/])(?P<path>[\w./~-]+?)(?:\.git)?/?")
_LEARNED = frozenset({"taxonomy/section-order", "taxonomy/section-parent"})


class Written(NamedTuple):
    """The files that were written, and what they were inferred from."""

    config: Path
    taxonomy: Path | None  # none if it was not requested, or would be empty
    lists: int
    entries: int
    terms: InferredTaxonomy | None = None  # what was inferred for a taxonomy, if it was requested
    errors: Sequence[InputError] = ()  # of files that could not be read
    kept_config: bool = False  # whether there was a configuration, which stays as it was


def init(paths: Sequence[str], *, taxonomy: bool, force: bool) -> Written:
    """Write a configuration, and with `taxonomy` a taxonomy, to the folder of the lists.

    Raises InputError if there is no list, or if a file exists already and `force` is not given.
    """
    folder = _folder(paths)
    config_file = folder / NAME
    taxonomy_file: Path | None = folder / TAXONOMY if taxonomy else None
    # A taxonomy may be added to what was written before.
    has_config = os.path.lexists(config_file) and not force
    target = taxonomy_file or config_file
    if os.path.lexists(target) and not force:
        raise InputError("exists already: use --force to overwrite it", target.as_posix())
    project, faults = _read(paths, folder)
    rules = load_rules().values()
    terms, text = infer_valid_taxonomy(project, home_of(folder)) if taxonomy else (None, "")
    disabled: Mapping[str, int] = {}
    if terms is None or taxonomy_file is None or terms.is_empty:
        taxonomy_file = None
    else:
        disabled = _try_taxonomy(text, project.documents.values(), rules)
        write_new(taxonomy_file, text.encode(), overwrite=force)
    if not has_config:
        learned = learn_rules(rules, project)
        config = infer_config(project, learned, TAXONOMY if taxonomy_file else None, disabled)
        write_new(config_file, config.encode(), overwrite=force)
    entries = sum(len(document.entries) for document in project.documents.values())
    return Written(config_file, taxonomy_file, len(project.documents), entries, terms, faults, has_config)


def home_of(folder: Path) -> Home:
    """Return the name of a folder, and an IRI that other lists do not have: after its repository, or else its name."""
    address = run(str(folder), "config", "--get", "remote.origin.url") or b""
    remote = _REMOTE.fullmatch(address.decode("utf-8", "replace").strip())
    if remote is not None:
        return Home(folder.name, f"https://{remote['host']}/{remote['path']}#")
    (name,) = make_ids({"": folder.name}).values()
    return Home(folder.name, f"urn:shelfread:lists:{quote(name.strip(chr(39)))}:")


def infer_valid_taxonomy(project: InferredProject, home: Home) -> tuple[InferredTaxonomy, str]:
    """Return a taxonomy and its text, which knows all headings of the lists that name a subject.

    Headings that were left out as the rest of others, or as several of them, are subjects if that is not enough.
    """
    documents = list(project.documents.values())
    inference = Inference(documents, project.context, home)
    forced: list[str] = []
    may_extend = has_levels = True
    while True:
        terms = inference.infer(forced=forced, may_extend=may_extend, has_levels=has_levels)
        text = render_taxonomy(terms, project.context)
        try:
            taxonomy = load_text(text, TAXONOMY)
        except TaxonomyError:
            if not may_extend:
                raise
            # The levels of the lists contradict the hierarchy of the bundled taxonomy, or its labels do.
            may_extend, has_levels = has_levels, False
            continue
        if not terms.subjects:
            return terms, text
        headings = find_headings(documents, project.context, taxonomy).subjects
        missing = [
            label_of(heading.title) for heading in headings if not _is_own(heading.resolution, taxonomy)
        ]
        if not set(missing) - set(forced):
            return terms, text
        forced = list(dict.fromkeys([*forced, *missing]))


def _is_own(found: Resolution, taxonomy: Taxonomy) -> bool:
    """Return whether a heading names something, and no subject that only a bundled taxonomy has."""
    named = {label.concept for label in found.subjects}
    return found.is_known and not (named and named.isdisjoint(taxonomy.own_concepts))


def _folder(paths: Sequence[str]) -> Path:
    for path in paths:
        if not os.path.lexists(path):
            raise InputError("no such file or folder", path)
    folders = (path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths or ["."])
    return Path(os.path.commonpath(map(os.path.realpath, folders)))


def _read(paths: Sequence[str], folder: Path) -> tuple[InferredProject, list[InputError]]:
    """Return the lists, with paths from the folder, and the errors of files that cannot be read.

    Raises InputError if there are no lists.
    """
    projects, errors = find_projects([*paths] or ["."], isolated=True)
    if errors:
        raise errors[0]
    taxonomy = load()
    files = sorted(path for project in projects for path in project.reported)
    names = {file: os.path.relpath(file, folder).replace(os.sep, "/") for file in files}
    documents: dict[str, Document] = {}
    faults: list[InputError] = []
    for file, name in names.items():
        try:
            documents[name] = read(Source.from_bytes(read_bytes(file), name), taxonomy.vocabulary)
        except InputError as fault:
            faults.append(fault)
    lists = {name: document for name, document in documents.items() if document.entries}
    if not lists and faults:
        raise faults[0]
    if not lists:
        others = [
            f"{name} is a {document.kind.value}"
            for name, document in documents.items()
            if document.kind is not FileKind.LIST
        ]
        reason = ", ".join(others[:MAX_NAMED]) or "there are no entries to learn from"
        raise InputError(f"no list found: {reason}", str(folder))
    context = build_context({name: facts(document) for name, document in lists.items()}, taxonomy)
    return InferredProject(lists, documents.keys() - lists.keys(), context, find_presets(context)), faults


def _try_taxonomy(text: str, documents: Iterable[Document], rules: Iterable[RuleMetadata]) -> dict[str, int]:
    """Return the rules of the preset `taxonomy` that have many findings with the one in `text`, with their number.

    A few findings are likely right, but not those about the places of sections, as the taxonomy was made from these.
    Those in backups, and infos, do not count.
    """
    taxonomy = load_text(text, TAXONOMY)
    documents = [read(document.source, taxonomy.vocabulary) for document in documents]
    context = build_context({document.source.path or "": facts(document) for document in documents}, taxonomy)
    bound = [bind(rule) for rule in rules if "taxonomy" in rule.presets]
    lists = (document for document in documents if not is_backup(document.source.path or ""))
    found = (finding for document in lists for finding in lint(document, context, bound))
    counts = Counter(finding.rule for finding in found if finding.severity > Severity.INFO)
    return {
        rule: count for rule, count in counts.items() if count > (0 if rule in _LEARNED else MAX_FINDINGS)
    }
