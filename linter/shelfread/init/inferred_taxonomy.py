"""Infers a taxonomy from lists: subjects and forms from headings, link roles from labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from shelfread.core.patterns import lazy
from shelfread.core.wording import counted, is_slip
from shelfread.document.heading_subjects import is_general, names_no_role
from shelfread.document.identity import fold_url
from shelfread.document.model import Document, LabelledLink
from shelfread.document.read import VENUE, YEAR, dated_rows
from shelfread.index.anchors import find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.index.disk import repository_address
from shelfread.index.line_style import labels_of, sections_with_entries
from shelfread.init.heading_parts import (
    MAX_CONTENTS_WORDS,
    MAX_ROLE,
    MAX_ROLE_WORDS,
    MIN_DATED_SECTIONS,
    MIN_KNOWN_SHARE,
    MIN_LETTERS,
    OFTEN,
    script_language,
    variant_key,
)
from shelfread.init.inferred_subjects import Subject, SubjectFinder, Subjects
from shelfread.mapping.mapped_headings import BundledComparison, choose_bundled
from shelfread.mapping.proposals import label_of, make_ids, project_title
from shelfread.markdown.node import Link
from shelfread.taxonomy.concept import label_words
from shelfread.taxonomy.hosts import host_of
from shelfread.taxonomy.label_forms import fold, plain_key, singular, squash, stem, tokens
from shelfread.taxonomy.load import load
from shelfread.taxonomy.phrases import TREATMENTS
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary, names_host

_ORDERS = ((VENUE, YEAR), (YEAR,), (VENUE,))
_SAYS_NOTHING = frozenset(
    "link,links,here,url,this,click here,page,star,stars,github stars,github repo stars".split(",")
)
_ADDRESS = lazy(r"(?i)\w://|[\w-]\.(?:[a-z]{2,3}|info|energy|github)\b|@|^[/~#]")
_PUBLICATION = lazy(r"(?:IEEE|ACM)\b")
_IN_BRACKETS = lazy(r"[(\[][^()\[\]]*[)\]]")


@dataclass(slots=True)
class InferredTaxonomy:
    """The terms of a taxonomy by their keys; all may be empty."""

    title: str
    iri: str
    from_headings: Subjects
    bundled: Taxonomy  # the bundled taxonomy that knows most headings
    order: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    extends: bool = False  # whether the taxonomy extends the bundled one
    # whether the levels of the lists replace the broader concepts that the bundled one states.
    has_levels: bool = True

    @property
    def subjects(self) -> Mapping[str, Subject]:
        return self.from_headings.subjects

    @property
    def is_empty(self) -> bool:
        return not (self.subjects or self.roles or self.order)

    def describe(self) -> str:
        """Return what the taxonomy has: `12 subjects, 2 forms, 1 role of links`."""
        counts = (
            (len(self.subjects), "subject"),
            (len(self.from_headings.forms), "form"),
            (len(self.roles), "role of links", "roles of links"),
        )
        described = ", ".join(counted(*count) for count in counts if count[0])
        return (
            f"{described or 'no subjects'}, order by {' and '.join(self.order)}" if self.order else described
        )


class Inference:
    """Infers the taxonomy of lists; a second time with headings that the first one left out."""

    def __init__(self, documents: Sequence[Document], context: RuleContext, folder: Path) -> None:
        self.folder = folder
        self.documents = documents
        self.context = context
        comparison: BundledComparison = choose_bundled(documents, context)
        self.bundled = load(comparison.best)
        self._finder = SubjectFinder(documents, context, self.bundled)
        self._order = find_order(self._finder.documents)
        self._roles = find_roles(documents, context)

    def infer(
        self, *, forced: Sequence[str] = (), may_extend: bool = True, has_levels: bool = True
    ) -> InferredTaxonomy:
        """Return the taxonomy with `forced` subjects; without `has_levels`, bundled concepts keep the broader ones of theirs."""
        found = self._finder.find(forced)
        add_contents_labels(found, self.context, self.bundled)
        keep_labels_apart(found, self.bundled)
        known = sum(bool(subject.concept or subject.wider) for subject in found.subjects.values())
        extends = may_extend and bool(known) and known >= MIN_KNOWN_SHARE * len(found.subjects)
        return InferredTaxonomy(
            project_title(self.documents, self.folder.name),
            _iri_of(self.folder),
            found,
            self.bundled,
            self._order,
            self._roles,
            extends,
            has_levels,
        )


def _iri_of(folder: Path) -> str:
    """Return an IRI that the taxonomies of other lists do not have: after the repository of a folder, or else its name."""
    if address := repository_address(str(folder)):
        return f"{address}#"
    (name,) = make_ids({"": folder.name}).values()
    return f"urn:shelfread:lists:{quote(name.strip(chr(39)))}:"


def find_order(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the strictest order that all sections of years or venues have, empty if there are few or none has."""
    files = [(document, sorted(sections_with_entries(document))) for document in documents]
    for order in _ORDERS:
        rows = [row for document, indexes in files for row in dated_rows(document, indexes, order)]
        is_kept = all(list(row.ranks) == sorted(row.ranks) for row in rows)
        if (
            is_kept
            and sum(len(row.sections) for row in rows) >= MIN_DATED_SECTIONS
            and _is_shown(order, files)
        ):
            return order
    return ()


def _is_shown(order: tuple[str, ...], files: list[tuple[Document, list[int]]]) -> bool:
    """Return whether sections show the order: years do always, venues if one has several sections below one parent."""
    if order == (YEAR,):
        return True
    for document, indexes in files:
        for row in dated_rows(document, indexes, (VENUE,)):
            if len(set(row.ranks)) < len(row.ranks):
                return True
    return False


def find_roles(documents: Iterable[Document], context: RuleContext) -> dict[str, str]:
    """Return labels without a role that several entries have, by key; not names, which always lead to the same page."""
    vocabulary = context.vocabulary
    kinds = {
        *TREATMENTS,
        *(word for role in vocabulary.roles.values() for name in role.labels for word in tokens(name)),
    }
    spellings: dict[str, Counter[str]] = {}
    targets: dict[str, set[str]] = {}
    for document in documents:
        for entry in document.entries:
            labels = labels_of(entry, document.source.text) if entry.kind == "paper" else ()
            for label in {fold(each.label): each for each in labels}.values():
                known = label.role is not None and vocabulary.role(label.label) is not None
                if not known and _can_be_role(label, vocabulary, kinds):
                    key = fold(label.label)
                    spellings.setdefault(key, Counter())[label.label] += 1
                    targets.setdefault(key, set()).add(fold_url(label.link.url))
    names = [fold(name) for role in vocabulary.roles.values() for name in role.labels]
    often = [key for key, counts in spellings.items() if key and counts.total() >= OFTEN]
    own = [key for key in often if len(targets[key]) >= max(OFTEN, spellings[key].total() / 2)]
    return {
        key: spellings[key].most_common(1)[0][0]
        for key in own
        if not _is_misspelt(key, [*names, *own], spellings)
    }


def _can_be_role(labelled: LabelledLink, vocabulary: Vocabulary, kinds: Collection[str]) -> bool:
    label = labelled.label
    return (
        len(label) <= MAX_ROLE
        and len(label.split()) <= MAX_ROLE_WORDS
        and fold(label) not in _SAYS_NOTHING
        and not (_ADDRESS.search(label) or _PUBLICATION.match(label))
        and not names_no_role(label, vocabulary)
        and vocabulary.role(_IN_BRACKETS.sub(" ", label).strip()) is None  # `Code (unofficial)`
        and (_names_kind(label, kinds) or _names_site(label, labelled.link.url))
    )


def _names_kind(label: str, kinds: Collection[str]) -> bool:
    """Return whether a label has a word for a kind of thing, not in brackets. Those of other scripts are not known."""
    words = tokens(_IN_BRACKETS.sub(" ", label))
    return not label.isascii() or any(singular(word) in kinds or word in kinds for word in words)


def _names_site(label: str, url: str) -> bool:
    """Return whether a label begins with the name of a URL's site, as `BaiduYun` of `https://pan.baidu.com`."""
    parts = host_of(url).split(".")[:-1]
    return names_host(label, url) or any(
        len(part) >= MIN_LETTERS and squash(label).startswith(part) for part in parts
    )


def _is_misspelt(key: str, names: Sequence[str], spellings: Mapping[str, Counter[str]]) -> bool:
    """Return whether a label is a slip away from the name of a role, or from a label that is more frequent."""
    count = spellings[key].total()
    return len(key) >= MIN_LETTERS and any(
        is_slip(key, name) and (name not in spellings or spellings[name].total() > count) for name in names
    )


_CONTENTS = "contents"


def add_contents_labels(subjects: Subjects, context: RuleContext, bundled: Taxonomy) -> None:
    """Add the texts of links in contents that name a section in another way, as alternative labels."""
    taken = set(subjects.subjects)
    by_document: dict[int, tuple[Document, dict[int, str]]] = {}
    for key, subject in subjects.subjects.items():
        for document, index in subject.sections:
            by_document.setdefault(id(document), (document, {}))[1][index] = key
    for document, keys in by_document.values():
        anchors = _anchors(document, context.project.slugs)
        for link in _contents_links(document):
            named = keys.get(anchors.get(link.url[1:], -1))
            if named is None:
                continue
            text = document.source.text[slice(*link.text)]
            label = label_of(text)
            other = variant_key(label, bundled.labels)
            is_plain = label and not set("[]<>`*|") & set(label) and not label.isdigit()
            if (
                not is_plain
                or not other
                or other in taken
                or is_general(label)
                or len(label.split()) > MAX_CONTENTS_WORDS
            ):
                continue
            if len(_letters(label)) < 3 or _letters(label) == _letters(subjects.subjects[named].label):
                continue
            if not _is_related(label, subjects.subjects[named].label):
                continue
            taken.add(other)
            language = script_language(label, subjects.language) or subjects.language
            if language == subjects.language:
                subjects.subjects[named].others.setdefault(language, []).append(label)
            else:
                subjects.subjects[named].labels.setdefault(language, label)


def _is_related(label: str, heading: str) -> bool:
    """Return whether two names share a word. `Both` in the contents means nothing elsewhere; other scripts cannot."""
    shared = {stem(word) for word in label_words(label)} & {stem(word) for word in label_words(heading)}
    return bool(shared) or script_language(label) != script_language(heading)


def _anchors(document: Document, slugs: str) -> Mapping[str, int]:
    starts = {section.span.start: index for index, section in enumerate(document.sections)}
    landmarks = list(find_landmarks(document))
    found: dict[str, int] = {}
    for landmark, anchor in zip(landmarks, slug_landmarks(landmarks, slugs), strict=True):
        inside = (
            start
            for start in range(landmark.start, min(landmark.end, landmark.start + 200))
            if start in starts
        )
        start = next(inside, None) if landmark.heading else None
        if start is not None:
            found.setdefault(anchor, starts[start])
    return found


def _contents_links(document: Document) -> list[Link]:
    spans = [part.span for part in document.non_entries if _CONTENTS in part.reason]
    found = []
    number = 0
    for link in document.links:
        while number < len(spans) and spans[number].end <= link.start:
            number += 1
        if number < len(spans) and spans[number].start <= link.start and link.url.startswith("#"):
            found.append(link)
    return found


def keep_labels_apart(subjects: Subjects, bundled: Taxonomy) -> None:
    """Leave each label of a language to one subject, whose name it is, else the first; those of bundled concepts to these."""
    every = [*subjects.subjects.values(), *subjects.forms.values()]
    own = {subject.concept for subject in subjects.subjects.values()} | subjects.forms.keys()
    others = [concept for id, concept in (*bundled.concepts.items(), *bundled.forms.items()) if id not in own]
    taken = {(subjects.language, plain_key(subject.label)) for subject in every}
    taken |= {
        (label.language, plain_key(label.text))
        for concept in others
        for label in concept.labels
        if label.kind == "prefLabel"
    }

    def claim(language: str, label: str) -> bool:
        claimed = language, plain_key(label)
        is_free = claimed not in taken
        taken.add(claimed)
        return is_free

    for subject in every:
        subject.labels = {tag: label for tag, label in subject.labels.items() if claim(tag, label)}
    for subject in every:
        for tag, labels in subject.others.items():
            subject.others[tag] = [label for label in labels if claim(tag, label)]
        subject.misspelt = [label for label in subject.misspelt if claim(subjects.language, label)]


def _letters(label: str) -> str:
    return "".join(character for character in label.casefold() if character.isalnum())
