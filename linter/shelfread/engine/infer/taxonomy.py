"""Infers a taxonomy from lists: subjects from headings, link roles from labels, venues from citations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.subjects import heading_words, is_subject, names_no_role
from shelfread.engine.infer.yaml_scalar import scalar, sequence
from shelfread.index.context import RuleContext
from shelfread.index.conventions.title_line import labels_of, sections_with_entries
from shelfread.taxonomy.fold import fold, squash

_NOT_ID = lazy(r"[^a-z0-9]+")
_YEAR = lazy(r"\W*(?:19|20)?\d\d\W*$")
_MAX_LENGTH = 300
_OFTEN = 3
"""A label or venue that is used at least so often is likely intended."""


@dataclass(slots=True)
class _Subject:
    """The spellings of a heading, and the keys of the subjects that its sections are below."""

    spellings: Counter[str] = field(default_factory=Counter)
    broader: list[str] = field(default_factory=list)


def infer_taxonomy(documents: Sequence[Document], context: RuleContext) -> str:
    """Return the text of a taxonomy with all that these lists use."""
    subjects = _subjects(documents, context)
    labels = {key: subject.spellings.most_common(1)[0][0] for key, subject in subjects.items()}
    ids = _ids(labels)
    first = next((document.sections[0].title for document in documents if document.sections), "")
    lines = [
        "# The subjects of these lists in the order of their sections, written by `shelfread init` from the headings.",
        "# prefLabel is the name of a section, altLabel another allowed name, hiddenLabel a name to replace;",
        "# broader has the subjects that a section may be below.",
        "",
        f"title: {scalar(first[:_MAX_LENGTH] or 'Subjects')}",
    ]
    if subjects:
        lines += ["", "concepts:"]
    for key, subject in subjects.items():
        broader = [ids[parent] for parent in subject.broader]
        suffix = f", broader: {broader[0] if len(broader) == 1 else sequence(broader)}" if broader else ""
        lines.append(f"  {ids[key]}: {{prefLabel: {scalar(labels[key])}{suffix}}}")
    lines += _roles(documents, context)
    lines += _venues(documents, context)
    return "\n".join(lines) + "\n"


def _subjects(documents: Iterable[Document], context: RuleContext) -> dict[str, _Subject]:
    found: dict[str, _Subject] = {}
    for document in documents:
        keys: dict[int, str] = {}
        for index in sorted(sections_with_entries(document)):
            section = document.sections[index]
            if not (is_subject(section, index, document, context.vocabulary) or _is_page(document, index)):
                continue
            key, label = fold(section.title), heading_words(section.title)
            if fold(label) != key or not _has_paired_brackets(label):
                label = section.title.strip()
            if not key or len(label) > _MAX_LENGTH:
                continue
            keys[index] = key
            subject = found.setdefault(key, _Subject())
            subject.spellings[label] += 1
            parent = section.parent
            while parent is not None and parent not in keys:
                parent = document.sections[parent].parent
            broader = keys[parent] if parent is not None else None
            if broader and broader not in subject.broader and not _is_broader(key, broader, found):
                subject.broader.append(broader)
    return found


def _has_paired_brackets(label: str) -> bool:
    return label.count("(") == label.count(")") and label.count("[") == label.count("]")


def _is_page(document: Document, index: int) -> bool:
    """Return whether a section is the title of a page about a subject, and not of a README."""
    name = (document.source.path or "").rpartition("/")[2].lower()
    return index == 0 and document.sections[0].level == 1 and not name.startswith(("readme", "index"))


def _is_broader(key: str, other: str, subjects: Mapping[str, _Subject]) -> bool:
    """Return whether a subject is equal to the other one, or broader."""
    seen = [other]
    for subject in seen:  # grows while it is read
        seen += [broader for broader in subjects[subject].broader if broader not in seen]
    return key in seen


def _roles(documents: Iterable[Document], context: RuleContext) -> list[str]:
    """Return the lines for labels without a role, frequent ones first."""
    spellings: dict[str, Counter[str]] = {}
    for label in _unknown_labels(documents, context):
        spellings.setdefault(fold(label), Counter())[label] += 1
    labels = {key: counts.most_common(1)[0][0] for key, counts in spellings.items() if key}
    often = [key for key in labels if spellings[key].total() >= _OFTEN]
    rarely = [key for key in labels if spellings[key].total() < _OFTEN]
    if not labels:
        return []
    ids = _ids(labels, taken=context.vocabulary.roles)
    terms = {key: f"  {ids[key]}: {{prefLabel: {scalar(label)}}}" for key, label in labels.items()}
    lines = ["", "# Labels of links, in addition to those built into shelfread.", "links:"]
    lines += [terms[key] for key in often]
    if rarely:
        lines += ["  # Used only once or twice, check whether they are intended:"]
    return lines + [terms[key] for key in rarely]


def _unknown_labels(documents: Iterable[Document], context: RuleContext) -> Iterator[str]:
    for document in documents:
        for entry in document.entries:
            if entry.kind == "paper":
                for label in labels_of(entry, document.source.text):
                    known = label.role is not None and context.vocabulary.role(label.label) is not None
                    if (
                        not known
                        and len(label.label) <= _MAX_LENGTH
                        and not names_no_role(label.label, context.vocabulary)
                    ):
                        yield label.label


def _venues(documents: Iterable[Document], context: RuleContext) -> list[str]:
    """Return the lines for frequently cited venues that the vocabulary does not have."""
    cited: Counter[str] = Counter()
    for document in documents:
        for entry in document.entries:
            citation = entry.citation
            if citation is not None and citation.venue is None:
                name = citation.name.value if citation.name else _YEAR.sub("", citation.text)
                cited[name.strip()] += 1
    known = {squash(label) for venue in context.vocabulary.venues.values() for label in venue.labels}
    names: dict[str, str] = {}
    for name, count in cited.items():
        key = squash(name)
        if count >= _OFTEN and key and key not in known and len(name) <= _MAX_LENGTH:
            names.setdefault(key, name)
    if not names:
        return []
    ids = _ids(names, taken=context.vocabulary.venues)
    lines = ["", "# Venues, in addition to those built into shelfread.", "venues:"]
    return lines + [f"  {ids[key]}: {{prefLabel: {scalar(name)}}}" for key, name in names.items()]


def _ids(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an id for each label: its letters and digits with hyphens, and a number if that is taken."""
    used = set(taken)
    next_number: dict[str, int] = {}
    ids: dict[str, str] = {}
    for key, label in labels.items():
        plain = normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
        stem = id = _NOT_ID.sub("-", plain).strip("-")[:60] or "subject"
        number = next_number.get(stem, 2)
        while id in used:
            id, number = f"{stem}-{number}", number + 1
        next_number[stem] = number
        used.add(id)
        ids[key] = scalar(id)
    return ids
