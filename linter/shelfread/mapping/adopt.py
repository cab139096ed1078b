"""Adds what a taxonomy lacks to the list's own file, whose other text stays as it is."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from shelfread.core.errors import ConfigError, TaxonomyError, UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.yaml_files import YamlFile
from shelfread.document.heading_subjects import resolve_section
from shelfread.mapping.mapped_headings import map_headings
from shelfread.mapping.project_lists import ProjectLists
from shelfread.mapping.proposals import NewConcept, NewLabel, Proposals, Refused, propose
from shelfread.mapping.subject_names import project_title, scalar, sequence
from shelfread.mapping.yaml_insert import CannotInsertError, YamlInsertion, YamlText
from shelfread.project.config import NAME
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.load import load_text

TAXONOMY = "taxonomy.yaml"


class AdoptedFile(NamedTuple):
    """A file before and after; `before` is None for a new one."""

    path: str
    before: Source | None
    after: str


class Adoption(NamedTuple):
    """What is added to a taxonomy, and the files that this changes."""

    proposals: Proposals
    changes: Sequence[AdoptedFile]


def adopt(lists: ProjectLists, named: str | None) -> Adoption:
    """Return what adding the headings that the taxonomy lacks changes; nothing is written.

    `named` is the taxonomy of the command line. A list without a taxonomy of its own gets one that extends the bundled
    one in use. Raises TaxonomyError if the file is written in a way that nothing can be added to.
    """
    proposals = propose(
        map_headings(lists.documents, lists.context, lists.comparison).headings, lists.taxonomy
    )
    file = named or lists.project.config.taxonomy
    if file is None or file in bundled_names():
        return _with_new_file(lists, proposals, file)
    path = Path(file)
    source = Source.from_bytes(read_bytes(file), _relative(path))
    before = YamlFile(source.text, source.path, TaxonomyError)
    has_others = "extends" in (before.data or {})
    keep_known(proposals, before.data or {}, has_others)
    if proposals.is_empty:
        return Adoption(proposals, ())
    text, expected = _added(source.text, before.data, proposals)
    return Adoption(
        _checked(proposals, text, source, expected), (AdoptedFile(_relative(path), source, text),)
    )


def keep_known(proposals: Proposals, data: Mapping[str, Any], has_others: bool) -> None:
    """Keep the labels that can be added: those of a key replace what an extended taxonomy states, so it must not."""
    own = data.get("concepts") or {}
    proposals.labels = [
        label
        for label in proposals.labels
        if isinstance(term := own.get(label.concept), dict) and (label.kind in term or not has_others)
    ]


def _with_new_file(lists: ProjectLists, proposals: Proposals, bundled: str | None) -> Adoption:
    """Return the new taxonomy of a list that has none of its own, and the configuration that names it."""
    proposals.labels = []  # those of the bundled taxonomy are known by their words
    if proposals.is_empty:
        return Adoption(proposals, ())
    config = lists.project.config
    folder = config.path.parent if config.path else lists.project.pattern_root or Path()
    path = folder / TAXONOMY
    name = _relative(path)
    if path.exists():
        raise ConfigError("exists already, and no configuration names it: use --taxonomy to add to it", name)
    title = project_title(lists.documents, folder.absolute().name) or "Subjects"
    text = f"title: {scalar(title)}\nextends: {bundled or lists.taxonomy.name}\nconcepts:\n"
    text += "".join(f"  {id}: {value}\n" for id, value in map(_term, proposals.concepts))
    proposals = _checked(proposals, text, Source(text, name), None)
    taxonomy = AdoptedFile(name, None, text)
    if config.path is None:
        new = AdoptedFile(_relative(folder / NAME), None, f"taxonomy: {TAXONOMY}\n")
        return Adoption(proposals, (taxonomy, new))
    return Adoption(proposals, (taxonomy, _configured(config.path)))


def _configured(path: Path) -> AdoptedFile:
    source = Source.from_bytes(read_bytes(str(path)), _relative(path))
    file = YamlFile(source.text, source.path, ConfigError)
    if "taxonomy" in (file.data or {}):
        line, column = file.place(["taxonomy"])
        start = sum(len(each) for each in source.text.splitlines(keepends=True)[: line - 1]) + column - 1
        old = file.data["taxonomy"]
        if source.text[start : start + len(old)] != old:
            raise file.fail(f"set taxonomy to '{TAXONOMY}' by hand, then run again", ["taxonomy"])
        return AdoptedFile(
            _relative(path), source, source.text[:start] + TAXONOMY + source.text[start + len(old) :]
        )
    yaml = YamlText(source.text)
    return AdoptedFile(_relative(path), source, yaml.applied([yaml.add_root("taxonomy", TAXONOMY)]))


def _added(text: str, data: Any, proposals: Proposals) -> tuple[str, Any]:
    """Return a taxonomy's text with the proposals, and the data that it must have."""
    expected = deepcopy(data) or {}
    try:
        yaml = YamlText(text)
        insertions = [
            *_labels(yaml, proposals.labels, expected),
            *_concepts(yaml, proposals.concepts, expected),
        ]
    except CannotInsertError:
        raise TaxonomyError("aliases and null values cannot be added to: add the headings by hand") from None
    return yaml.applied(insertions), expected


def _labels(yaml: YamlText, labels: Sequence[NewLabel], expected: Any) -> list[YamlInsertion]:
    """Return the insertions of labels, those of one concept together."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for label in labels:
        own = expected["concepts"][label.concept].get(label.kind)
        keys = ("concepts", label.concept, label.kind, *([label.language] if isinstance(own, dict) else []))
        rows.setdefault(keys, []).append(label.label)
    found = []
    for keys, texts in rows.items():
        found.append(yaml.add_items(keys, texts))
        term = expected
        for key in keys[:-1]:
            term = term[key]
        term[keys[-1]] = [*term.get(keys[-1], ()), *texts]
    # Two new keys at the end of one flow mapping stand in the order of the rows.
    return found


def _concepts(yaml: YamlText, concepts: Sequence[NewConcept], expected: Any) -> list[YamlInsertion]:
    """Return the insertions of concepts, each group after one that the file has."""
    own = expected.get("concepts") or {}
    anchors: dict[str, str | None] = {id: id for id in own}
    groups: dict[str | None, list[NewConcept]] = {}
    for concept in concepts:
        anchor = anchors.get(concept.after or "")
        anchors[concept.id] = anchor
        groups.setdefault(anchor, []).append(concept)
    for concept in concepts:
        expected["concepts"] = (expected.get("concepts") or {}) | {concept.id: _value(concept)}
    return [
        yaml.add_terms("concepts", list(map(_term, group)), after=anchor) for anchor, group in groups.items()
    ]


def _term(concept: NewConcept) -> tuple[str, str]:
    value = f"prefLabel: {scalar(concept.label)}"
    if concept.broader:
        broader = concept.broader
        value += f", broader: {scalar(broader[0]) if len(broader) == 1 else sequence(broader)}"
    return scalar(concept.id), f"{{{value}}}"


def _value(concept: NewConcept) -> dict[str, Any]:
    broader: Any = concept.broader[0] if len(concept.broader) == 1 else concept.broader
    return {"prefLabel": concept.label, **({"broader": broader} if broader else {})}


def _checked(proposals: Proposals, text: str, source: Source, expected: Any) -> Proposals:
    """Return the proposals, those that do not make their heading known refused.

    Raises TaxonomyError if the text is not the taxonomy that it must be.
    """
    path = source.path or ""
    try:
        taxonomy = load_text(text, path)
        if expected is not None and YamlFile(text, path, TaxonomyError).data != expected:
            raise TaxonomyError("nothing can be added to this way of writing it", path)
    except UserError as error:
        raise TaxonomyError(
            f"adding the headings would break it: {error.message}: add them by hand", path
        ) from None
    for heading in (concept.heading for concept in proposals.concepts):
        if not resolve_section(heading.document, heading.section_index, taxonomy).is_known:
            proposals.refused.append(Refused(heading, "it is still not known: add it by hand"))
    return proposals


def _relative(path: Path) -> str:
    return os.path.relpath(path).replace(os.sep, "/")


def write(adoption: Adoption) -> None:
    """Write the files; raises InputError for one that has changed meanwhile or cannot be written."""
    from shelfread.core.file_writing import remove_leftovers, write_new
    from shelfread.engine.save import write_text

    remove_leftovers(Path(change.path).parent for change in adoption.changes)
    for change in adoption.changes:
        if change.before is None:
            write_new(Path(change.path), change.after.encode())
        else:
            write_text(change.before, change.after)
