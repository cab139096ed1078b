"""Infers the subjects of lists, and the forms apart from them, from the headings of their sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations

from shelfread.document.heading_subjects import is_general, is_subject, names_subject, resolve_section
from shelfread.document.model import Document
from shelfread.document.non_entries import NO_DOUBT, doubt_of
from shelfread.engine.lint import is_backup
from shelfread.index.context import RuleContext
from shelfread.index.line_style import sections_with_entries
from shelfread.index.pages import has_subjects, is_translation
from shelfread.init.heading_parts import (
    MAX_ABBREVIATION,
    MAX_BELOW,
    MAX_PAGE_WORDS,
    MIN_ENTRIES_SHARE,
    MIN_SUBJECTS,
    Names,
    are_bilingual,
    is_rest,
    script_language,
    set_apart,
    shared_halves,
    split_names,
    variant_key,
    without_brackets,
)
from shelfread.mapping.proposals import is_readme, label_of
from shelfread.taxonomy.concept import Resolution, label_words
from shelfread.taxonomy.label_forms import fold, label_key, stem, tokens
from shelfread.taxonomy.phrases import PLAIN, TREATMENTS
from shelfread.taxonomy.taxonomy import Taxonomy

# Of the words in English lists at least 3 in 100 are such words, and fewer in all others.
_ENGLISH, _ENGLISH_SHARE = ("the", "of", "and", "with", "from", "for", "to"), 0.03


@dataclass(slots=True)
class Subject:
    """A subject, by the spellings of its headings, and the keys of the subjects that its sections are below."""

    spellings: Counter[str] = field(default_factory=Counter)
    broader: list[str] = field(default_factory=list)
    concept: str | None = None  # the concept of the bundled taxonomy that has this very label
    wider: str | None = None  # the concept of the bundled taxonomy that includes it
    sections: list[tuple[Document, int]] = field(default_factory=list)
    # its names by language, other than that of the lists.
    labels: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)  # alternative names by language
    misspelt: list[str] = field(default_factory=list)  # spellings with a mistake

    @property
    def label(self) -> str:
        """The spelling that most sections have; one in words rather than an abbreviation."""
        ranked = [text for text, _ in self.spellings.most_common()]
        return next((text for text in ranked if not _is_abbreviation(text)), ranked[0])

    def add_misspelt(self, written: str, right: str) -> None:
        if written != right and written not in self.misspelt:
            self.misspelt.append(written)


def _is_abbreviation(text: str) -> bool:
    return " " not in text and len(text) <= MAX_ABBREVIATION and sum(map(str.isupper, text)) > 1


@dataclass(slots=True)
class Subjects:
    """The subjects and the forms of lists by key, in the order of the sections."""

    language: str
    subjects: dict[str, Subject] = field(default_factory=dict)
    forms: dict[str, Subject] = field(default_factory=dict)  # by the id of the bundled form


class SubjectFinder:
    """Finds the subjects of lists, given the bundled taxonomy that knows most of them."""

    def __init__(self, documents: Sequence[Document], context: RuleContext, bundled: Taxonomy) -> None:
        self.context = context
        self.bundled = bundled
        self.documents = [
            document
            for document in documents
            if not is_backup(document.source.path or "") and has_subjects(document, context)
        ]
        self.titles = {
            fold(document.sections[0].title)
            for document in documents
            if is_readme(document) and document.sections and document.sections[0].level == 1
        }
        self._bilingual = False
        # halves of headings that are no translations of the others, as several headings have them.
        self._shared: frozenset[str] = frozenset()
        # headings of which all is the name, what stands in brackets too.
        self._apart: frozenset[str] = frozenset()

    def find(self, forced: Collection[str] = ()) -> Subjects:
        """Return the subjects, those of headings that are `forced` too; empty if few entries are in sections of subjects."""
        headings = list(self._headings())
        labels = [label for *_, label in headings]
        english = {document for document in self.documents if self._is_english(document)}
        spelt = {
            label: right
            for document, _, label in headings
            if document in english and (right := self._respelt(label)) is not None
        }
        found = Subjects(_language(labels))
        self._bilingual = are_bilingual(labels)
        self._shared = shared_halves(labels)
        self._apart = set_apart(labels, self.bundled.labels)
        shorts = self._abbreviations(headings, found.language)
        keys: dict[tuple[Document, int], str] = {}
        for document, index, label in headings:
            names = self._names(spelt.get(label, label), found.language)
            key = self._key(names, shorts)
            if key:
                keys[document, index] = key
        for page in _collections(keys):
            del keys[page]
        known = set(keys.values())
        order: list[str] = []
        previous: dict[tuple[Document, int | None], str] = {}
        entries = named = 0
        for document, index, label in headings:
            key = keys.get((document, index), "")
            if not key:
                continue
            right = spelt.get(label, label)
            resolved = (
                self.bundled.resolve(right)
                if label in spelt
                else resolve_section(document, index, self.bundled)
            )
            if label not in forced or right != label:
                if is_general(label):
                    del keys[document, index]
                    continue
                if resolved.forms and not resolved.subjects and resolved.is_known:
                    del keys[document, index]
                    self._add_form(found, resolved, right, label)
                    continue
                above = _parent(document, document.sections[index].parent, keys)
                if (is_rest(label) and above) or self._is_joined(label, known - {key}):
                    del keys[document, index]
                    continue
            is_new = key not in found.subjects
            self._add_subject(found, keys, document, index, right)
            found.subjects[key].add_misspelt(label, right)
            parent = document.sections[index].parent
            rows = [(document, parent)]
            while (
                parent is not None and (document, parent) not in keys
            ):  # they stand for one that is no subject
                parent = document.sections[parent].parent
                rows.append((document, parent))
            if is_new:
                befores = [previous[row] for row in rows if row in previous] + found.subjects[key].broader
                order.insert(_end(next(iter(befores), None), order, found.subjects), key)
            previous |= dict.fromkeys(rows, key)
        for document in self.documents:
            entries += len(document.entries)
            named += sum(_parent(document, entry.section, keys) is not None for entry in document.entries)
        if len(found.subjects) < MIN_SUBJECTS or named < entries * MIN_ENTRIES_SHARE:
            found.subjects = {}
        self._choose_concepts(found)
        order = _as_in_sections([key for key in order if key in found.subjects], found.subjects)
        found.subjects = {key: found.subjects[key] for key in order}
        return found

    def _choose_concepts(self, found: Subjects) -> None:
        """Leave each bundled concept to one subject: that of its own name, else that of most sections."""
        holders: dict[str, Subject] = {}
        for subject in found.subjects.values():
            if subject.concept is not None:
                other = holders.get(subject.concept)
                if other is None or self._rank(subject) > self._rank(other):
                    holders[subject.concept] = subject
        for subject in found.subjects.values():
            if subject.concept is not None and holders[subject.concept] is not subject:
                subject.concept, subject.wider = None, subject.concept

    def _rank(self, subject: Subject) -> tuple[bool, int]:
        preferred = self.bundled.concepts[subject.concept or ""].label
        return label_key(preferred) == label_key(subject.label), len(subject.sections)

    def _headings(self) -> Iterator[tuple[Document, int, str]]:
        """Yield the sections that may be subjects, with the label that their headings give."""
        for document in self.documents:
            for index in sorted(sections_with_entries(document) | _without_entries(document)):
                section = document.sections[index]
                label = label_of(section.title)
                if not label:
                    continue
                if not is_subject(section, index, document, self.context.vocabulary):
                    is_page = index == 0 and section.level == 1 and not is_readme(document)
                    is_page = is_page and not self._names_project(section.title)
                    is_page = is_page and len(label.split()) <= MAX_PAGE_WORDS
                    is_page = is_page and names_subject(section, self.context.vocabulary)
                    if not (is_page or self._is_known_kind(document, index)):
                        continue
                yield document, index, label

    def _is_known_kind(self, document: Document, index: int) -> bool:
        """Return whether a heading is a kind of link and a bundled concept as well: `Pretrained Models`."""
        known = resolve_section(document, index, self.bundled)
        is_kind = index > 0 and self.context.vocabulary.role(document.sections[index].title) is not None
        return is_kind and known.is_label and bool(known.subjects)

    def _names_project(self, title: str) -> bool:
        """Return whether the title of a page has that of the project: `Awesome Tools - Archive`."""
        words = f" {fold(title)} "
        return any(
            f" {name} " in words and (" " in name or name == words.strip()) for name in self.titles if name
        )

    def _abbreviations(self, headings: Sequence[tuple[Document, int, str]], language: str) -> dict[str, str]:
        """Return the key of each abbreviation that a heading explains in brackets, by that of the abbreviation."""
        shorts: dict[str, str] = {}
        for *_, label in headings:
            names = self._names(label, language)
            for short in names.short:
                full = next(iter(names.labels.values()))
                shorts[variant_key(short, self.bundled.labels)] = variant_key(full, self.bundled.labels)
        return shorts

    def _names(self, label: str, language: str) -> Names:
        if label in self._apart:
            return Names({language: label})
        names = split_names(label, language, bilingual=self._bilingual)
        if len(names.labels) > 1 and not self._translates(
            *names.labels.values(), in_brackets=label[-1] in ")）"
        ):
            return Names({language: label})
        return names

    def _translates(self, name: str, translation: str, *, in_brackets: bool) -> bool:
        """Return whether the second half of a heading may say the same as the first, unlike `SFT数据集`."""
        if not self._shared.isdisjoint((name, translation)):
            return False
        if in_brackets:
            return True
        known, own = self.bundled.find(translation), self.bundled.find(name)
        return known is None or (own is not None and own.concept.id == known.concept.id)

    def _respelt(self, label: str) -> str | None:
        """Return a heading with misspelt words put right if only then the bundled taxonomy knows it, and no title has them."""
        right = None if self.bundled.resolve(label).subjects else self.bundled.respelt(label)
        if right is None or not self._title_words.isdisjoint({*tokens(label)}.difference(tokens(right))):
            return None
        known = self.bundled.find(right)  # it knows the capitals too
        is_whole = known is not None and fold(known.concept.label) == fold(right)
        return known.concept.label if known is not None and is_whole else right

    def _is_english(self, document: Document) -> bool:
        """Return whether the entries of a list are in English: a word of another language is no misspelling (`Statistik`)."""
        texts = (
            each.value for entry in document.entries for each in (entry.title, entry.description) if each
        )
        words = Counter(chain.from_iterable(map(tokens, texts)))
        english = sum(words[word] for word in _ENGLISH)
        return english > _ENGLISH_SHARE * words.total() and not is_translation(document.source.path or "")

    @cached_property
    def _title_words(self) -> frozenset[str]:
        titles = (entry.title.value for document in self.documents for entry in document.entries)
        return frozenset(chain.from_iterable(map(tokens, titles)))

    def _key(self, names: Names, shorts: Mapping[str, str]) -> str:
        label = next(iter(names.labels.values()))
        key = variant_key(without_brackets(label) if label in self._apart else label, self.bundled.labels)
        return shorts.get(key, key)

    def _is_joined(self, label: str, known: Collection[str]) -> bool:
        """Return whether a heading joins subjects that have sections of their own: `Pruning and Quantization`."""
        parts = label.replace(" and ", "&").replace("/", "&").replace(",", "&").split("&")
        keys = [variant_key(part, self.bundled.labels) for part in parts if part.strip()]
        return len(keys) > 1 and all(key in known for key in keys)

    def _add_form(self, found: Subjects, resolved: Resolution, label: str, written: str) -> None:
        """Add a form that a heading names, unless the heading says more than the form does."""
        names = self._names(label, found.language)
        text = names.labels.get(found.language) or label
        (form, *others) = resolved.forms
        words = {stem(word) for word in label_words(self.bundled.forms[form.concept].label)}
        own = {stem(word) for word in label_words(text)}
        is_same = not own.isdisjoint(words) and all(
            word in TREATMENTS or word in PLAIN for word in own - words
        )
        if resolved.is_label and not others and (is_same or not text.isascii()):
            subject = found.forms.setdefault(form.concept, Subject())
            subject.spellings[text] += 1
            subject.labels |= {tag: name for tag, name in names.labels.items() if tag != found.language}
            subject.add_misspelt(written, label)

    def _add_subject(
        self,
        found: Subjects,
        keys: Mapping[tuple[Document, int], str],
        document: Document,
        index: int,
        label: str,
    ) -> None:
        key = keys[document, index]
        names = self._names(label, found.language)
        subject = found.subjects.setdefault(key, Subject())
        text = names.labels.get(found.language) or label
        is_short = variant_key(text, self.bundled.labels) != key
        subject.spellings[text] += 0 if is_short else 1
        for language, name in names.labels.items():
            if language != found.language:
                subject.labels.setdefault(language, name)
        for short in names.short:
            if short not in subject.others.setdefault(found.language, []):
                subject.others[found.language].append(short)
        subject.sections.append((document, index))
        if subject.concept is None:
            subject.concept = self._concept(document, index, (text, *names.labels.values()))
            wider = self._wider(document, index)
            subject.wider = None if wider == subject.concept else wider
        broader = _parent(document, document.sections[index].parent, keys)
        if (
            broader
            and broader in found.subjects
            and broader not in subject.broader
            and broader != key
            and key not in _ancestors(broader, found.subjects)
        ):
            subject.broader.append(broader)

    def _concept(self, document: Document, index: int, names: Iterable[str]) -> str | None:
        """Return the bundled concept that a heading with these names, of which each is in another language, is a label of."""
        for match in map(self.bundled.find, names):
            if match is not None and match.kind == "prefLabel" and match.concept.id in self.bundled.concepts:
                return match.concept.id
        resolved = resolve_section(document, index, self.bundled)
        if not (resolved.is_label and len(resolved.subjects) == 1):
            return None
        named = resolved.subjects[0]
        if (
            named.kind == "altLabel"
            and " " not in named.text
            and self._is_elsewhere(document, index, named.concept)
        ):
            return None
        return named.concept if named.kind in ("prefLabel", "altLabel") else None

    def _is_elsewhere(self, document: Document, index: int, concept: str) -> bool:
        """Return whether a section stands below a subject that has nothing in common with a concept."""
        parent = document.sections[index].parent
        match = self.bundled.find(document.sections[parent].title) if parent is not None else None
        if match is None or match.concept.id not in self.bundled.concepts:
            return False
        above = {match.concept.id, *self.bundled.ancestors(match.concept.id)}
        return above.isdisjoint((concept, *self.bundled.ancestors(concept)))

    def _wider(self, document: Document, index: int) -> str | None:
        """Return the bundled concept that includes the subject of a heading."""
        resolved = resolve_section(document, index, self.bundled)
        kinds = {named.kind: named.concept for named in resolved.subjects}
        is_whole = resolved.is_label and len(resolved.subjects) == 1
        return kinds.get("includes") if is_whole else None


def _without_entries(document: Document) -> set[int]:
    """Return the sections that have no entries yet, among others of their level that have some, and those below them."""
    held = sections_with_entries(document)
    rows: dict[tuple[int | None, int], list[int]] = {}
    for index in sorted(held):
        section = document.sections[index]
        rows.setdefault((section.parent, section.level), []).append(index)
    found: set[int] = set()
    for index, section in enumerate(document.sections):
        row = rows.get((section.parent, section.level), [index])
        is_among = row[0] < index < row[-1] or section.parent in found
        if index not in held and is_among and doubt_of(section.title) is NO_DOUBT:
            found.add(index)
    return found


def _end(key: str | None, order: Sequence[str], subjects: Mapping[str, Subject]) -> int:
    """Return the index behind a subject and those after it that are below it; without one that behind all."""
    if key is None:
        return len(order)
    end = order.index(key) + 1
    for following in order[end : end + MAX_BELOW]:
        if key not in _ancestors(following, subjects):
            break
        end += 1
    return end


def _as_in_sections(order: Sequence[str], subjects: Mapping[str, Subject]) -> list[str]:
    """Return subjects in the order that most sections beside each other have; none leaves those below it behind."""
    at = {key: index for index, key in enumerate(order)}
    rows: dict[tuple[Document, int | None], dict[int, str]] = {}
    before: Counter[tuple[str, str]] = Counter()
    for key, subject in subjects.items():
        before.update((broader, key) for broader in subject.broader if at[broader] < at[key])
        for document, index in subject.sections:
            rows.setdefault((document, document.sections[index].parent), {})[index] = key
    for row in rows.values():
        times = Counter(row.values())
        before.update(combinations((row[index] for index in sorted(row) if times[row[index]] == 1), 2))
    found: list[str] = []  # from the last to the first
    seen: set[str] = set()

    def place(key: str) -> None:
        seen.add(key)
        for later in reversed(order):
            if later not in seen and before[key, later] > before[later, key]:
                place(later)
        found.append(key)

    for key in reversed(order):
        if key not in seen:
            place(key)
    return found[::-1]


def _language(labels: Sequence[str]) -> str:
    """Return the language of most labels, as far as their script shows it: `en`, `zh`, `ja` or `ko`."""
    other = Counter(
        language
        for label in labels
        if (language := script_language(label)) and len(split_names(label, "en").labels) == 1
    )
    if 2 * other.total() <= len(labels):
        return "en"
    if other["ja"]:
        return "ja"
    return other.most_common(1)[0][0]


def _collections(keys: Mapping[tuple[Document, int], str]) -> list[tuple[Document, int]]:
    """Return the titles of pages that are no subjects: without own entries, and with subjects that other pages have too."""
    below: dict[tuple[Document, int], set[str]] = {}
    pages: dict[str, set[tuple[Document, int]]] = {}
    for (document, index), key in keys.items():
        page = document, 0
        pages.setdefault(key, set()).add(page)
        above = document.sections[index].parent
        if page in keys and document.sections[0].level == 1 and _parent(document, above, keys) == keys[page]:
            below.setdefault(page, set()).add(key)
    return [
        page
        for page, found in below.items()
        if sum(len(pages[key]) > 1 for key in found) * 2 > len(found)
        and all(entry.section != 0 for entry in page[0].entries)
    ]


def _parent(document: Document, index: int | None, keys: Mapping[tuple[Document, int], str]) -> str | None:
    """Return the subject of a section, or of the nearest one above it."""
    known = (keys.get((document, above)) for above in document.above(index))
    return next((key for key in known if key is not None), None)


def _ancestors(key: str, subjects: Mapping[str, Subject]) -> set[str]:
    found: set[str] = set()
    waiting = list(subjects[key].broader) if key in subjects else []
    while waiting:
        broader = waiting.pop()
        if broader not in found and broader in subjects:
            found.add(broader)
            waiting += subjects[broader].broader
    return found
