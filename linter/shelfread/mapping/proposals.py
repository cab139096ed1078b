"""What a taxonomy lacks to know all headings of lists: concepts and labels, named as the lists name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import NamedTuple
from unicodedata import combining, normalize

import yaml

from shelfread.core.patterns import lazy
from shelfread.document.heading_subjects import heading_words, is_general, resolve_section
from shelfread.document.model import Document
from shelfread.document.non_entries import NO_DOUBT, doubt_of
from shelfread.mapping.mapped_headings import Certainty, ListHeading, MappedHeading
from shelfread.taxonomy.label_forms import fold, label_key, numbered, without_accents, without_extras
from shelfread.taxonomy.taxonomy import Taxonomy

MAX_LENGTH = 300
# The letters of scripts that have no Latin spelling, as the schema of taxonomies has them.
_NOT_ID = lazy(
    r"[^a-z0-9\u03ac-\u03ce\u0430-\u045f\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30"
    r"\u10d0-\u10fa\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
)
_LONGEST = 60
_HEADINGS = ("heading", "html")
_WORD = lazy(r"[^\W_]+")
_LEAST_JOINED = 4  # letters of a word that another one may hold: `OpenShelf` says `shelf`, `papers` not `rs`


def label_of(title: str) -> str:
    """Return a heading without numbering, emoji, counts and links back; empty if no label can be made of it."""
    words = without_extras(title)
    label = heading_words(words)
    label += "）" * (label.count("（") - label.count("）"))  # it ends with words, or a bracket of ASCII
    is_paired = all(label.count(opening) == label.count(closing) for opening, closing in ("()", "[]", "（）"))
    if not is_paired or not fold(words).endswith(fold(label)):
        label = words.strip()
    return label if len(label) <= MAX_LENGTH else ""


def main_list(documents: Sequence[Document]) -> Document | None:
    """Return the only list, or the readme beside or above all others; None if there is neither."""
    if len(documents) == 1:
        return documents[0]
    readmes = [document for document in documents if is_readme(document)]
    paths = {
        document.source.path or "": document for document in readmes
    }  # `README.md` before `README-ja.md`
    return paths[min(paths, key=lambda path: (path.count("/"), len(path)))] if paths else None


def project_title(documents: Sequence[Document], name: str) -> str:
    """Return the title of the main list in a repository or folder of some name, else the name."""
    main = main_list(documents)
    title = title_of(main, name).strip()[:MAX_LENGTH] if main is not None else name
    return name if is_general(title) else title


def title_of(document: Document, name: str) -> str:
    """Return the title of a list in a repository or folder of some name: its first heading of level 1, or the name.

    One that says the name precedes others, as that of a sponsor. Another first heading has to be above all others.
    """
    headings = [one for one in document.sections if one.kind in _HEADINGS]
    first = [one for one in headings if one.level == 1] or headings[:1]
    titles = [one for one in first if one.title and doubt_of(one.title) is NO_DOUBT]
    said = next((one for one in titles if _says(one.title, name)), None)
    # One in HTML, which is centred, is above those of its level that are in Markdown.
    rivals = [one for one in headings if first[0].kind == "heading" or one.kind == "html"]
    is_only = sum(one.level <= first[0].level for one in rivals) == 1
    if said is None and titles and (titles[0].level == 1 or is_only):
        said = titles[0]
    return said.title if said is not None else name


def _says(title: str, name: str) -> bool:
    """Return whether a title has at least half of the words of a name, `public-apis`."""
    words, said = (_WORD.findall(fold(text)) for text in (name, title))
    joined = "".join(said)
    found = sum(1 for word in words if word in said or (len(word) >= _LEAST_JOINED and word in joined))
    return found * 2 >= len(words) > 0


def is_readme(document: Document) -> bool:
    """Return whether a file is the first page of its folder."""
    name = (document.source.path or "").rpartition("/")[2].lower()
    return name.startswith(("readme", "index"))


def make_ids(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an id for each label, by the same keys: its words, and a number if that is taken."""
    stems = {key: _stem(label) for key, label in labels.items()}
    return {key: scalar(id) for key, id in numbered(stems, taken).items()}


def _stem(label: str) -> str:
    letters = without_accents(normalize("NFKC", label).lower())
    plain = "".join(letter for letter in letters if not combining(letter))
    words = _NOT_ID.sub("-", plain.replace("\u2019", "").replace("'", "")).strip("-")
    if len(words) > _LONGEST:
        words = words[: _LONGEST + 1].rpartition("-")[0] or words[:_LONGEST]
    return words or "subject"


def scalar(value: str) -> str:
    """Return a text as a YAML scalar on one line, quoted if necessary."""
    written: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=1 << 20)
    return written.strip()[1:-1]


def sequence(values: Iterable[str]) -> str:
    """Return texts as a YAML sequence on one line: `[a, b]`."""
    return f"[{', '.join(map(scalar, values))}]"


_MIN_SIMILARITY = 0.88  # a heading this similar to a label is misspelt, and should be renamed instead

_MAX_BACK = 100  # how many sections back another one is looked for


class NewLabel(NamedTuple):
    """A heading that is read by its words, as a label of its concept. `kind` is altLabel or includes; or broader, of an id."""

    concept: str
    kind: str
    label: str
    language: str
    heading: ListHeading


@dataclass(slots=True)
class NewConcept:
    """A heading that names no concept, as one. `broader` are ids; `after` is the id of the concept before it."""

    id: str
    label: str
    broader: list[str]
    after: str | None
    heading: ListHeading


class Refused(NamedTuple):
    """A heading that is left alone, and why."""

    heading: ListHeading
    reason: str


@dataclass(slots=True)
class Proposals:
    """What is to be added to a taxonomy, in the order of the lists."""

    labels: list[NewLabel] = field(default_factory=list)
    concepts: list[NewConcept] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.labels or self.concepts)


def propose(mapped: Sequence[MappedHeading], taxonomy: Taxonomy) -> Proposals:
    """Return what a taxonomy lacks for the headings: an altLabel, one that a concept `includes`, or a concept with its broader one."""
    found = Proposals()
    slips = {id(each): slip for each in mapped if (slip := _slip(each)) is not None}
    unknown = (
        each.heading for each in mapped if id(each) not in slips and not each.heading.resolution.is_known
    )
    titles = {label_key(label): label for heading in unknown if (label := label_of(heading.title))}
    new = make_ids(titles, {*taxonomy.concepts, *taxonomy.forms})
    concepts: dict[str, NewConcept] = {}
    labels: set[str] = set()
    relations: dict[tuple[str, str], NewLabel] = {}
    for each in mapped:
        heading, label = each.heading, label_of(each.heading.title)
        key = label_key(label)
        above = next(_above(heading, new, taxonomy), "")
        for below in {named.concept for named in heading.resolution.subjects} & taxonomy.own_concepts:
            is_free = not taxonomy.concepts.broader(below) and below not in taxonomy.ancestors(above)
            if above in concepts and is_free and not _is_above(below, above, concepts):
                relations[below, above] = NewLabel(below, "broader", above, taxonomy.language, heading)
        if (foreign := _foreign(heading, taxonomy)) is not None:
            own = label if heading.resolution.is_label else taxonomy.concepts[foreign].label
            before = _before(heading, new, taxonomy)
            concepts.setdefault(foreign, NewConcept(foreign, own, [], before, heading))
            continue
        if heading.resolution.is_label or not key:
            continue
        if each.certainty is Certainty.WORDS:
            named = heading.resolution
            if (
                len(named.subjects) == 1
                and not named.forms
                and named.certainty != "partly"
                and key not in labels
            ):
                (subject,) = named.subjects
                kind = "includes" if named.qualifiers else "altLabel"
                labels.add(key)
                found.labels.append(NewLabel(subject.concept, kind, label, taxonomy.language, heading))
            continue
        if id(each) in slips:
            reason = f"it is nearly '{slips[id(each)]}': rename it, or add it by hand"
            found.refused.append(Refused(heading, reason))
            continue
        concept = new[key]
        if concept not in concepts:
            concepts[concept] = NewConcept(concept, label, [], _before(heading, new, taxonomy), heading)
        known = concepts[concept].broader
        for broader in _broader(heading, new, taxonomy):
            if broader not in (concept, *known) and not _is_above(concept, broader, concepts):
                known.append(broader)
    found.concepts = list(concepts.values())
    found.labels += relations.values()
    return found


def _foreign(heading: ListHeading, taxonomy: Taxonomy) -> str | None:
    """Return the concept of an extended taxonomy that a heading names, if the list's own is closed."""
    named = heading.resolution
    if not (taxonomy.closed and named.is_known and len(named.subjects) == 1):
        return None
    (subject,) = named.subjects
    is_foreign = subject.concept in taxonomy.concepts and subject.concept not in taxonomy.own_concepts
    return subject.concept if is_foreign else None


def _slip(mapped: MappedHeading) -> str | None:
    """Return the label that a heading means, if it is misspelt."""
    title = fold(mapped.heading.title)
    for match in mapped.nearest if not mapped.heading.resolution.is_known else ():
        if SequenceMatcher(None, title, fold(match.label)).ratio() >= _MIN_SIMILARITY:
            return match.preferred
    return None


def _above(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> Iterator[str]:
    """Yield the concepts of the sections above a heading, the nearest first; a heading of several subjects has none."""
    sections = heading.document.sections
    for index in heading.document.above(sections[heading.section_index].parent):
        id = _concept(heading, index, new, taxonomy)
        if id is not None:
            yield id


def _concept(heading: ListHeading, index: int, new: Mapping[str, str], taxonomy: Taxonomy) -> str | None:
    title = heading.document.sections[index].title
    found = resolve_section(heading.document, index, taxonomy)
    if found.is_known:
        return found.subjects[0].concept if len(found.subjects) == 1 else None
    return new.get(label_key(label_of(title)))


def _broader(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the concept of the section above, else the one that the heading names a kind of."""
    above = next(_above(heading, new, taxonomy), None)
    heads = tuple(
        label.concept for label in heading.resolution.subjects if label.concept in taxonomy.concepts
    )
    return (above,) if above is not None else heads[:1]


def _before(heading: ListHeading, new: Mapping[str, str], taxonomy: Taxonomy) -> str | None:
    """Return the concept of the section before a heading, below the same one; else of the one above."""
    sections = heading.document.sections
    parent = sections[heading.section_index].parent
    first = max(parent if parent is not None else -1, heading.section_index - _MAX_BACK)
    for index in range(heading.section_index - 1, first, -1):
        if sections[index].parent == parent:
            id = _concept(heading, index, new, taxonomy)
            if id is not None:
                return id
    return next(_above(heading, new, taxonomy), None)


def _is_above(id: str, other: str, concepts: Mapping[str, NewConcept]) -> bool:
    seen = [other]
    for each in seen:  # grows while it is read
        if each in concepts:
            seen += [broader for broader in concepts[each].broader if broader not in seen]
    return id in seen
