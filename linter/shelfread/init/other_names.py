"""The other names that a list has for its sections in its contents, and which of all names each subject keeps."""

from __future__ import annotations

from collections.abc import Mapping

from shelfread.document.heading_subjects import is_general
from shelfread.document.model import Document
from shelfread.index.anchors import find_landmarks, slug_landmarks
from shelfread.index.context import RuleContext
from shelfread.init.heading_parts import script_language, variant_key
from shelfread.init.inference_limits import MAX_CONTENTS_WORDS
from shelfread.init.inferred_subjects import Subjects
from shelfread.mapping.subject_names import label_of
from shelfread.markdown.node import Link
from shelfread.taxonomy.label_forms import label_key, stem, without_accents
from shelfread.taxonomy.label_index import label_words
from shelfread.taxonomy.taxonomy import Taxonomy

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
