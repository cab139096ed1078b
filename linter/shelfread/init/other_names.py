"""The other names that a list has for its sections: those of its translations, and those in its contents where the headings
have others.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from shelfread.document.heading_subjects import is_general
from shelfread.document.identity import fold_url
from shelfread.document.model import Document
from shelfread.index.anchors import find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.index.subject_pages import language_suffix, original_of
from shelfread.init.heading_parts import script_language, variant_key
from shelfread.init.inference_limits import (
    MAX_CONTENTS_WORDS,
    MAX_SECTIONS_OF_LINK,
    MIN_SHARED_LINKS,
    MIN_SHARED_SHARE,
)
from shelfread.init.inferred_subjects import Subject, Subjects
from shelfread.mapping.subject_names import label_of
from shelfread.markdown.node import Link
from shelfread.taxonomy.label_forms import label_key, stem, without_accents
from shelfread.taxonomy.label_index import label_words
from shelfread.taxonomy.taxonomy import Taxonomy

_LANGUAGES = {
    "cn": "zh",
    "chs": "zh",
    "ch": "zh",
    "chinese": "zh",
    "cht": "zh-Hant",
    "tw": "zh-Hant",
    "hk": "zh-Hant",
    "jp": "ja",
    "japanese": "ja",
    "kr": "ko",
    "korean": "ko",
    "br": "pt",
    "english": "en",
}
_CONTENTS = "contents"


def add_translations(subjects: Subjects, documents: Iterable[Document], paths: Iterable[str]) -> None:
    """Add the names of subjects in other languages, from sections of translations with the same links."""
    names = set(paths)
    by_path = {document.source.path or "": document for document in documents}
    keys = {
        (id(document), index): subject
        for subject in subjects.subjects.values()
        for document, index in subject.sections
    }
    taken: set[tuple[str, str]] = set()
    for path, document in by_path.items():
        original = by_path.get(original_of(path, names) or "")
        if original is None:
            continue
        for index, other in _same_sections(original, document):
            subject = keys.get((id(original), index))
            label = label_of(document.sections[other].title)
            language = _language(path, label)
            if subject is not None and label and language and language != subjects.language:
                _add(subject, language, label, taken)


def _add(subject: Subject, language: str, label: str, taken: set[tuple[str, str]]) -> None:
    known = {text.casefold() for text in (subject.label, *subject.labels.values())}
    if (
        label.casefold() not in known
        and language not in subject.labels
        and (language, label.casefold()) not in taken
    ):
        taken.add((language, label.casefold()))
        subject.labels[language] = label


def _language(path: str, label: str) -> str:
    """Return the language tag that the name of a translation states."""
    given = language_suffix(posixpath.splitext(path)[0])
    tag, _, region = given.replace("_", "-").partition("-")
    if tag == "zh" and region in ("hant", "tw", "hk"):
        return "zh-Hant"
    return _LANGUAGES.get(given, _LANGUAGES.get(tag, tag)) or script_language(label)


def _same_sections(original: Document, translation: Document) -> Iterator[tuple[int, int]]:
    """Yield the indexes of sections with the same links, of the original and of the translation."""
    own, others = _links(original), _links(translation)
    sections: dict[str, list[int]] = {}
    for index, urls in own.items():
        for url in urls:
            sections.setdefault(url, []).append(index)
    pairs = []
    for other, urls in others.items():
        shared = Counter(index for url in urls for index in sections.get(url, ())[:MAX_SECTIONS_OF_LINK])
        for index, count in shared.items():
            similarity = count / max(len(own[index]), len(urls))
            is_same_level = original.sections[index].level == translation.sections[other].level
            if is_same_level and count >= MIN_SHARED_LINKS and similarity >= MIN_SHARED_SHARE:
                pairs.append((-similarity, index, other))
    paired, translated = set[int](), set[int]()
    for _, index, other in sorted(pairs):
        if index not in paired and other not in translated:
            paired.add(index)
            translated.add(other)
            yield index, other


def _links(document: Document) -> Mapping[int, set[str]]:
    """Return the links of the entries of each section, those of its subsections included."""
    found: dict[int, set[str]] = {}
    for entry in document.entries:
        urls = {fold_url(link.link.url) for link in entry.links if "://" in link.link.url}
        index = entry.section
        while index is not None:
            found.setdefault(index, set()).update(urls)
            index = document.sections[index].parent
    return found


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
            language = script_language(label) or subjects.language
            if language == subjects.language:
                subjects.subjects[named].others.setdefault(language, []).append(label)
            else:
                subjects.subjects[named].labels.setdefault(language, label)


def _is_related(label: str, heading: str) -> bool:
    """Return whether two names share a word. `Both` in the contents means nothing elsewhere; other scripts cannot."""
    shared = {stem(word) for word in label_words(label)} & {stem(word) for word in label_words(heading)}
    return bool(shared) or script_language(label) != script_language(heading)


def _letters(label: str) -> str:
    return "".join(character for character in label.casefold() if character.isalnum())


def _anchors(document: Document, slugs: str) -> Mapping[str, int]:
    """Return the index of the section of each anchor."""
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
    """Return the links to anchors of the page that stand in its contents."""
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
    """Leave each label of a language to one subject: that whose name it is, else the first that has it.

    The names of bundled concepts that are no subjects here are left to them.
    """
    every = [*subjects.subjects.values(), *subjects.forms.values()]
    own = {subject.concept for subject in subjects.subjects.values()} | subjects.forms.keys()
    others = [concept for id, concept in (*bundled.concepts.items(), *bundled.forms.items()) if id not in own]
    taken = {(subjects.language, _compared(subject.label)) for subject in every}
    taken |= {
        (label.language, _compared(label.text))
        for concept in others
        for label in concept.labels
        if label.kind == "prefLabel"
    }

    def claim(language: str, label: str) -> bool:
        claimed = language, _compared(label)
        is_free = claimed not in taken
        taken.add(claimed)
        return is_free

    for subject in every:
        subject.labels = {tag: label for tag, label in subject.labels.items() if claim(tag, label)}
    for subject in every:
        for tag, labels in subject.others.items():
            subject.others[tag] = [label for label in labels if claim(tag, label)]
        subject.misspelt = [label for label in subject.misspelt if claim(subjects.language, label)]


def _compared(label: str) -> str:
    return without_accents(label_key(label))
