"""A taxonomy as lists themselves imply it: subjects from headings, link roles from labels, venues from citations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from shelfread.checks.taxonomy.entry import is_name
from shelfread.checks.taxonomy.section import is_subject, words_of
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.engine.infer.yaml_scalar import row, scalar
from shelfread.index.context import RuleContext
from shelfread.index.conventions.title_line import labels_of, sections_with_entries
from shelfread.taxonomy.fold import fold, squash

_NOT_ID = lazy(r"[^a-z0-9]+")
_YEAR = lazy(r"\W*(?:19|20)?\d\d\W*$")
_LONGEST = 300
_OFTEN = 3
"""A label or a venue that is used so often is likely meant."""


@dataclass(slots=True)
class _Subject:
    """A heading that sections have: how it is spelt, and the subjects that they stand below."""

    spellings: Counter[str] = field(default_factory=Counter)
    broader: list[str] = field(default_factory=list)


def infer_taxonomy(documents: Sequence[Document], context: RuleContext) -> str:
    """The text of a taxonomy in which these lists find all that they use."""
    subjects = _subjects(documents, context)
    ids = _ids({key: one.spellings.most_common(1)[0][0] for key, one in subjects.items()})
    first = next((document.sections[0].title for document in documents if document.sections), "")
    lines = [
        "# The subjects of these lists, in the order of their sections: `shelfread init` read them off the headings.",
        "# prefLabel is the name of a section, altLabel another that is right too, hiddenLabel one that is not;",
        "# broader names the subjects that a section may stand below.",
        "",
        f"title: {scalar(first[:_LONGEST] or 'Subjects')}",
    ]
    if subjects:
        lines += ["", "concepts:"]
    for key, one in subjects.items():
        broader = [ids[above] for above in one.broader]
        up = f", broader: {broader[0] if len(broader) == 1 else row(broader)}" if broader else ""
        lines.append(f"  {ids[key]}: {{prefLabel: {scalar(one.spellings.most_common(1)[0][0])}{up}}}")
    lines += _roles(documents, context)
    lines += _venues(documents, context)
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------------------------- subjects
def _subjects(documents: Iterable[Document], context: RuleContext) -> dict[str, _Subject]:
    found: dict[str, _Subject] = {}
    for document in documents:
        keys: dict[int, str] = {}
        for index in sorted(sections_with_entries(document)):
            section = document.sections[index]
            if not (is_subject(section, index, document, context) or _is_page(document, index)):
                continue
            key, label = fold(section.title), words_of(section.title)
            if fold(label) != key or not _pairs(label):
                label = section.title.strip()
            if not key or len(label) > _LONGEST:
                continue
            keys[index] = key
            subject = found.setdefault(key, _Subject())
            subject.spellings[label] += 1
            above = section.parent
            while above is not None and above not in keys:
                above = document.sections[above].parent
            if (
                above is not None
                and keys[above] not in subject.broader
                and not _is_above(key, keys[above], found)
            ):
                subject.broader.append(keys[above])
    return found


def _pairs(label: str) -> bool:
    """Whether each bracket has its other half."""
    return all(label.count(left) == label.count(right) for left, right in ("()", "[]"))


def _is_page(document: Document, index: int) -> bool:
    """Whether a section is a whole page about a subject: its title, in a file that is no README."""
    name = (document.source.path or "").rpartition("/")[2].lower()
    return index == 0 and document.sections[0].level == 1 and not name.startswith(("readme", "index"))


def _is_above(one: str, other: str, subjects: Mapping[str, _Subject]) -> bool:
    """Whether one is the other, or broader than it."""
    seen = {other}
    pending = [other]
    while pending:
        key = pending.pop()
        if key == one:
            return True
        new = [above for above in subjects[key].broader if above not in seen]
        seen.update(new)
        pending += new
    return False


# ------------------------------------------------------------------------------------------- roles
def _roles(documents: Iterable[Document], context: RuleContext) -> list[str]:
    """Labels that no role has, often used ones first."""
    spellings: dict[str, Counter[str]] = {}
    for label in _unknown_labels(documents, context):
        spellings.setdefault(fold(label), Counter())[label] += 1
    labels = {key: one.most_common(1)[0][0] for key, one in spellings.items() if key}
    often = [key for key in labels if spellings[key].total() >= _OFTEN]
    seldom = [key for key in labels if spellings[key].total() < _OFTEN]
    if not labels:
        return []
    ids = _ids(labels, taken=context.vocabulary.roles)
    lines = ["", "# Labels of links that are added to those which shelfread knows.", "links:"]
    lines += [f"  {ids[key]}: {{prefLabel: {scalar(labels[key])}}}" for key in often]
    if seldom:
        lines.append("  # Seen once or twice: are they meant?")
        lines += [f"  {ids[key]}: {{prefLabel: {scalar(labels[key])}}}" for key in seldom]
    return lines


def _unknown_labels(documents: Iterable[Document], context: RuleContext) -> Iterator[str]:
    for document in documents:
        for entry in document.entries:
            if entry.kind == "paper":
                for label in labels_of(entry, document.source.text):
                    named = label.role is not None and context.vocabulary.role(label.label) is not None
                    if not named and len(label.label) <= _LONGEST and not is_name(label.label, context):
                        yield label.label


# ------------------------------------------------------------------------------------------ venues
def _venues(documents: Iterable[Document], context: RuleContext) -> list[str]:
    """Venues that the vocabulary does not have and that are cited often."""
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
        if count >= _OFTEN and key and key not in known and len(name) <= _LONGEST:
            names.setdefault(key, name)
    if not names:
        return []
    ids = _ids(names, taken=context.vocabulary.venues)
    lines = ["", "# Venues that are added to those which shelfread knows.", "venues:"]
    return lines + [f"  {ids[key]}: {{prefLabel: {scalar(name)}}}" for key, name in names.items()]


# --------------------------------------------------------------------------------------------- ids
def _ids(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """An id for each label: its letters and digits with hyphens, and a number where that is taken."""
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
