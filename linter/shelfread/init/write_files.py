"""Writes what was inferred from lists: the configuration, and the lines of a taxonomy."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import InputError, TaxonomyError
from shelfread.core.file_writing import write_new
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import FileKind
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.lint import is_backup, lint
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import facts
from shelfread.index.pages import find_presets
from shelfread.init.heading_parts import MAX_FINDINGS, MAX_NAMED, spelling_key
from shelfread.init.inferred_config import InferredProject, infer_config, learn_rules
from shelfread.init.inferred_subjects import Subject
from shelfread.init.inferred_taxonomy import Inference, InferredTaxonomy
from shelfread.mapping.adopt import TAXONOMY
from shelfread.mapping.mapped_headings import find_headings
from shelfread.mapping.proposals import label_of, make_ids, scalar, sequence
from shelfread.project.config import NAME
from shelfread.project.files import find_projects
from shelfread.rulebook.metadata import RuleMetadata, bind, load_rules
from shelfread.taxonomy.concept import Resolution, make_labels
from shelfread.taxonomy.load import load, load_text
from shelfread.taxonomy.taxonomy import Taxonomy

_FORMS = "forms"
_MAX_WIDTH = 110


def render_taxonomy(taxonomy: InferredTaxonomy, context: RuleContext) -> str:
    """Return the text of a taxonomy."""
    language = taxonomy.from_headings.language
    lines = ["# Written by `shelfread init` from the lists of this folder, as a start to edit.", ""]
    lines += [f"title: {scalar(taxonomy.title or 'Subjects')}", f"iri: {scalar(taxonomy.iri)}"]
    if language != "en":
        lines += [f"language: {language}"]
    lines += _extends(taxonomy)
    if taxonomy.subjects:
        lines += [
            "closed: true   # sections of other subjects are reported, also if the taxonomy above has them"
        ]
    if taxonomy.order:
        lines += ["", "# Sections that are years or venues are no concepts, but have an order."]
        order = taxonomy.order
        lines += [f"order: {order[0] if len(order) == 1 else sequence(order)}"]
    lines += ["", *_concepts(taxonomy)]
    if taxonomy.from_headings.forms:
        lines += ["", "# What sections list, whatever their subject.", "forms:"]
        for id, form in taxonomy.from_headings.forms.items():
            lines += _term(scalar(id), _labels(form, language))
    if taxonomy.roles:
        lines += [
            "",
            "# What the labels of links say, in addition to the roles that shelfread knows (Paper, Code ...).",
        ]
        lines += ["# Remove what is no kind of link.", "links:"]
        ids = make_ids(taxonomy.roles, context.vocabulary.roles)
        for key, label in taxonomy.roles.items():
            lines += _term(ids[key], [f"prefLabel: {scalar(label)}"])
    return "\n".join(lines) + "\n"


def _extends(taxonomy: InferredTaxonomy) -> Iterator[str]:
    subjects, name = taxonomy.subjects.values(), taxonomy.bundled.name
    known = sum(bool(subject.concept or subject.wider) for subject in subjects)
    if taxonomy.extends:
        yield f"# {name} knows {known} of these {len(subjects)} subjects: those with its ids take their other names,"
        yield "# definitions and broader concepts from there."
        yield f"extends: {name}"
    else:
        yield f"extends: {_FORMS}   # Survey, Books, Tools ..., in several languages"


def _concepts(taxonomy: InferredTaxonomy) -> Iterator[str]:
    subjects = taxonomy.subjects
    if not subjects:
        yield "# There are no concepts, as most headings of the lists are no subjects, but venues, years or kinds of things."
        yield "# To add some: concepts: {scheduling: {prefLabel: Cluster Scheduling}}"
        return
    yield "# The subjects of the lists, in the order of the sections. A section of another name is reported."
    yield "#   prefLabel: the name of the section        altLabel: [other names that are right too]"
    yield "#   broader: the sections that it may be in   hiddenLabel: [names to replace, such as misspellings]"
    yield "concepts:"
    ids = concept_ids(taxonomy)
    broader = {ids[key]: _broader(key, ids, taxonomy) for key in subjects}
    for key, subject in subjects.items():
        values = _labels(subject, taxonomy.from_headings.language)
        above = _not_implied(broader[ids[key]], broader, taxonomy)
        if above:
            values.append(f"broader: {above[0] if len(above) == 1 else '[' + ', '.join(above) + ']'}")
        if not taxonomy.extends:
            values += _matches(subject, taxonomy)
        elif subject.concept is not None:
            values += _related(subject.concept, broader, taxonomy)
        yield from _term(ids[key], values)


def _broader(key: str, ids: Mapping[str, str], taxonomy: InferredTaxonomy) -> list[str]:
    """Return the broader concepts to write for a subject, which are none if the bundled taxonomy has them."""
    subject = taxonomy.subjects[key]
    broader = [ids[parent] for parent in subject.broader]
    if not taxonomy.extends:
        return broader
    if subject.concept is not None:
        known = not taxonomy.has_levels or set(broader) <= set(taxonomy.bundled.ancestors(subject.concept))
        return [] if known else broader
    return broader or ([subject.wider] if subject.wider else [])


def _related(concept: str, broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy) -> Iterator[str]:
    """Yield the related concepts of a bundled one, if the levels of the lists make one of them broader or narrower."""
    related = taxonomy.bundled.concepts[concept].related
    own = _ancestors(concept, broader, taxonomy) if related else set()
    kept = [
        other for other in related if other not in own and concept not in _ancestors(other, broader, taxonomy)
    ]
    if len(kept) < len(related):
        yield f"related: {sequence(kept)}"


def _not_implied(
    above: Sequence[str], broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy
) -> list[str]:
    """Return broader concepts without those that are broader than another one of them."""
    implied = (
        {other for each in above for other in _ancestors(each, broader, taxonomy)} if len(above) > 1 else ()
    )
    return [each for each in above if each not in implied]


def _ancestors(id: str, broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy) -> set[str]:
    bundled = taxonomy.bundled.concepts
    found: set[str] = set()
    waiting = [id]
    while waiting:
        each = waiting.pop()
        above = broader.get(each) or (bundled.broader(each) if taxonomy.extends and each in bundled else ())
        waiting += [other for other in above if other not in found]
        found.update(above)
    return found


def _matches(subject: Subject, taxonomy: InferredTaxonomy) -> Iterator[str]:
    """Yield the references to the bundled concepts that a subject is, or is a part of."""
    for match, concept in (("exactMatch", subject.concept), ("broadMatch", subject.wider)):
        if concept is not None:
            yield f"{match}: [{scalar(taxonomy.bundled.iri_of(concept))}]"


def concept_ids(taxonomy: InferredTaxonomy) -> dict[str, str]:
    """Return the id of each subject: that of the bundled concept which it extends, else one made of its label."""
    subjects = taxonomy.subjects.items()
    ids = {key: scalar(subject.concept) for key, subject in subjects if subject.concept and taxonomy.extends}
    # An English name makes an id that everybody can type.
    labels = {key: subject.labels.get("en", subject.label) for key, subject in subjects if key not in ids}
    taken = (
        {*taxonomy.bundled.concepts, *taxonomy.bundled.forms}
        if taxonomy.extends
        else set(taxonomy.from_headings.forms)
    )
    return {**ids, **make_ids(labels, taken)}


def _labels(subject: Subject, language: str) -> list[str]:
    if subject.labels:
        pairs = {language: subject.label, **dict(sorted(subject.labels.items()))}
        values = [f"prefLabel: {{{', '.join(f'{tag}: {scalar(text)}' for tag, text in pairs.items())}}}"]
    else:
        values = [f"prefLabel: {scalar(subject.label)}"]
    plain = make_labels((), ())
    known = {spelling_key(subject.label, plain): subject.label}
    for other in (*subject.spellings, *subject.others.get(language, ())):
        known.setdefault(spelling_key(other, plain), other)
    if others := list(known.values())[1:]:
        values.append(f"altLabel: {sequence(others)}")
    if subject.misspelt:
        values.append(f"hiddenLabel: {sequence(subject.misspelt)}")
    return values


def _term(id: str, values: Sequence[str]) -> Iterator[str]:
    """Yield a term on one line, or if that is long, with each key on a line of its own."""
    line = f"  {id}: {{{', '.join(values)}}}"
    if len(line) <= _MAX_WIDTH:
        yield line
        return
    yield f"  {id}:"
    yield from (f"    {value}" for value in values)


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
    """Write a configuration, and a taxonomy if wanted, to the lists' folder; raises InputError without lists, or over a file."""
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
    terms, text = infer_valid_taxonomy(project, folder) if taxonomy else (None, "")
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


def infer_valid_taxonomy(project: InferredProject, folder: Path) -> tuple[InferredTaxonomy, str]:
    """Return a taxonomy and its text, which knows all headings of the lists that name a subject, with subjects forced if needed."""
    documents = list(project.documents.values())
    inference = Inference(documents, project.context, folder)
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
    """Return the lists, with paths from the folder, and the errors of unreadable files; raises InputError without lists."""
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
    """Return the rules of the preset `taxonomy` with many findings under the one in `text`, which tells that it is wrong."""
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
