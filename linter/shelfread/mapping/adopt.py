"""Adds to the text of a taxonomy what it lacks, and changes nothing else of it."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.errors import ConfigError, TaxonomyError, UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.yaml_files import YamlFile, yaml_loader
from shelfread.document.heading_subjects import is_subject, resolve_section
from shelfread.document.non_entries import doubt_of
from shelfread.index.line_style import sections_with_entries
from shelfread.mapping.mapped_headings import ListHeading, map_headings
from shelfread.mapping.project_lists import ProjectLists
from shelfread.mapping.proposals import (
    NewConcept,
    NewLabel,
    Proposals,
    Refused,
    project_title,
    propose,
    scalar,
    sequence,
)
from shelfread.project.config import NAME
from shelfread.taxonomy.chain import bundled_names, read_chain
from shelfread.taxonomy.load import load_text

if TYPE_CHECKING:
    import yaml


class YamlInsertion(NamedTuple):
    """A text to add at an offset."""

    position: int
    text: str


class CannotInsertError(Exception):
    """The text is written in a way that nothing can be added to, such as an alias or `null`."""


class YamlText:
    """A YAML text whose root is a mapping, or that is empty but for comments."""

    def __init__(self, text: str) -> None:
        """Read a text that is valid YAML."""
        import yaml

        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"
        self._root: Any = yaml.compose(text, Loader=yaml_loader())

    def add_terms(
        self, name: str, terms: Sequence[tuple[str, str]], *, after: str | None = None
    ) -> YamlInsertion:
        """Return the insertion of keys and values (YAML in one line) into the mapping `name`, after a key or at its end."""
        pair = _pair(self._root, name)
        if pair is not None and not _is_null(pair[1]):
            return self._into(pair[1], terms, after)
        if self._root is not None and self._root.flow_style:
            inner = ", ".join(f"{key}: {value}" for key, value in terms)
            return self._into(self._root, [(name, f"{{{inner}}}")], None)
        lines = "".join(f"{self.newline}  {key}: {value}" for key, value in terms)
        if pair is not None:
            return YamlInsertion(self._line_end(pair[0].end_mark.index), lines)
        if self._root is None:
            start = "" if not self.text or self.text.endswith("\n") else self.newline
            return YamlInsertion(len(self.text), f"{start}{name}:{lines}{self.newline}")
        end = self._line_end(_end(self._root, self.text))
        return YamlInsertion(end, f"{self.newline}{name}:{lines}")

    def add_root(self, key: str, value: str) -> YamlInsertion:
        """Return the insertion of a key and a value, which is YAML in one line, at the end of the file's mapping."""
        if self._root is None:
            start = "" if not self.text or self.text.endswith("\n") else self.newline
            return YamlInsertion(len(self.text), f"{start}{key}: {value}{self.newline}")
        return self._into(self._root, [(key, value)], None)

    def add_items(self, keys: Sequence[str], items: Sequence[str]) -> YamlInsertion:
        """Return the insertion of texts at the end of the sequence at `keys`; its last key is added if need be."""
        node: Any = self._root
        for index, step in enumerate(keys):
            pair = _pair(node, step)
            if pair is None:
                if index != len(keys) - 1:
                    raise CannotInsertError
                return self._into(node, [(step, sequence(items))], None)
            node = pair[1]
        if node.id != "sequence":
            raise CannotInsertError
        if node.flow_style:
            added = ", ".join(map(scalar, items))
            if not node.value:
                return YamlInsertion(node.start_mark.index + 1, added)
            return YamlInsertion(_end(node.value[-1], self.text), f", {added}")
        indent = " " * int(node.start_mark.column)
        lines = "".join(f"{self.newline}{indent}- {scalar(item)}" for item in items)
        return YamlInsertion(self._line_end(_end(node, self.text)), lines)

    def applied(self, insertions: Iterable[YamlInsertion]) -> str:
        """Return the text with insertions; those at one place keep their order."""
        parts: list[str] = []
        done = 0
        for position, added in sorted(insertions, key=lambda each: each.position):
            parts += self.text[done:position], added
            done = position
        return "".join(parts) + self.text[done:]

    def _into(self, node: Any, terms: Sequence[tuple[str, str]], after: str | None) -> YamlInsertion:
        if node.id != "mapping":
            raise CannotInsertError
        pair = _pair(node, after) if after is not None else None
        pair = pair or (node.value[-1] if node.value else None)
        if node.flow_style:
            added = ", ".join(f"{key}: {value}" for key, value in terms)
            if pair is None:
                return YamlInsertion(node.start_mark.index + 1, added)
            return YamlInsertion(_end_of_pair(pair, self.text), f", {added}")
        if pair is None:
            raise CannotInsertError
        indent = " " * int(node.value[0][0].start_mark.column)
        lines = "".join(f"{self.newline}{indent}{key}: {value}" for key, value in terms)
        return YamlInsertion(self._line_end(_end_of_pair(pair, self.text)), lines)

    def _line_end(self, position: int) -> int:
        end = self.text.find("\n", position)
        if end < 0:
            return len(self.text)
        return end - 1 if self.text[end - 1 : end] == "\r" else end


def _pair(node: Any, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    if node is None or node.id != "mapping":
        return None
    return next(((k, v) for k, v in node.value if k.value == key), None)


def _is_null(node: Any) -> bool:
    return node.id == "scalar" and node.value == "" and not node.style


def _end_of_pair(pair: tuple[Any, Any], text: str) -> int:
    key, value = pair
    if value.start_mark.index < key.start_mark.index:
        raise CannotInsertError  # an alias, whose value stands elsewhere
    return int(key.end_mark.index) + 1 if _is_null(value) else _end(value, text)


def _end(node: Any, text: str) -> int:
    """Return where a node ends; that of a block collection is the end of its last part."""
    while node.id != "scalar" and not node.flow_style:
        last = node.value[-1]
        if isinstance(last, tuple):
            return _end_of_pair(last, text)
        node = last
    end = int(node.end_mark.index)
    if node.id == "scalar" and node.style in ("|", ">"):
        end = len(text[:end].rstrip())
    return end


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
    """Return what adding the headings that the taxonomy, `named` or configured, lacks would change; raises TaxonomyError."""
    proposals = propose(
        map_headings(lists.documents, lists.context, lists.comparison).headings, lists.taxonomy
    )
    proposals.refused += _empty(lists)
    file = named or lists.project.config.taxonomy
    if file is None or file in bundled_names():
        return _with_new_file(lists, proposals, file)
    path = Path(file)
    source = Source.from_bytes(read_bytes(file), _relative(path))
    before = YamlFile(source.text, source.path, TaxonomyError)
    _, *extended = read_chain(file)
    _keep_known(
        proposals, before.data or {}, {id for each in extended for id in each.data.get("concepts") or ()}
    )
    if proposals.is_empty:
        return Adoption(proposals, ())
    text, expected = _added(source.text, before.data, proposals)
    return Adoption(
        _checked(proposals, text, source, expected), (AdoptedFile(_relative(path), source, text),)
    )


def _empty(lists: ProjectLists) -> Iterator[Refused]:
    """Yield the headings without entries, beside others with some, that the taxonomy does not know: their first entry is a finding."""
    for document in lists.documents:
        used = sections_with_entries(document)
        beside = {(document.sections[index].parent, document.sections[index].level) for index in used}
        paragraphs = [block.first for block in document.tree.blocks if block.kind == "paragraph"]
        ends = [section.line - 1 for section in document.sections[1:]] + [len(document.source.lines)]
        for index, (section, end) in enumerate(zip(document.sections, ends, strict=False)):
            is_prose = bisect_left(paragraphs, section.line) < bisect_left(paragraphs, end)
            if index in used or (section.parent, section.level) not in beside or is_prose:
                continue
            found = resolve_section(document, index, lists.taxonomy)
            may_be = is_subject(section, index, document, lists.context.vocabulary)
            if may_be and not found.is_known and not doubt_of(section.title).reason:
                yield Refused(ListHeading(document, index, found, 0), "it has no entries yet")


def _keep_known(proposals: Proposals, data: Mapping[str, Any], extended: Collection[str]) -> None:
    """Keep the labels that can be added: those of a new key would replace what an extended taxonomy states of the concept."""
    own = data.get("concepts") or {}
    proposals.labels = [
        label
        for label in proposals.labels
        if isinstance(term := own.get(label.concept), dict)
        and (label.kind in (*term, "broader") or label.concept not in extended)
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
    """Return the proposals, without those that do not make their heading known; raises TaxonomyError for another taxonomy."""
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
    from shelfread.engine.load_save import write_text

    remove_leftovers(Path(change.path).parent for change in adoption.changes)
    for change in adoption.changes:
        if change.before is None:
            write_new(Path(change.path), change.after.encode())
        else:
            write_text(change.before, change.after)
