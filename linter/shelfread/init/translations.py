"""The names that translations of a list give to its sections."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from shelfread.document.identity import fold_url
from shelfread.document.model import Document
from shelfread.index.subject_pages import language_suffix, original_of
from shelfread.init.headings import script_language
from shelfread.init.subjects import Subject, Subjects
from shelfread.mapping.names import label_of

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
_MIN_SHARE = 0.5
_MIN_LINKS = 2
"""So many links in common, and so large a share of those of each section, prove that two sections are the same."""

_MAX_SECTIONS = 20
"""The most sections of one link that are compared."""


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
        shared = Counter(index for url in urls for index in sections.get(url, ())[:_MAX_SECTIONS])
        for index, count in shared.items():
            similarity = _similarity(count, own[index], urls)
            is_same_level = original.sections[index].level == translation.sections[other].level
            if is_same_level and count >= _MIN_LINKS and similarity >= _MIN_SHARE:
                pairs.append((-similarity, index, other))
    paired, translated = set[int](), set[int]()
    for _, index, other in sorted(pairs):
        if index not in paired and other not in translated:
            paired.add(index)
            translated.add(other)
            yield index, other


def _similarity(shared: int, one: set[str], other: set[str]) -> float:
    return shared / max(len(one), len(other))


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
