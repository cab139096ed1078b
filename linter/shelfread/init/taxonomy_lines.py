"""The text of an inferred taxonomy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shelfread.index.context import RuleContext
from shelfread.init.heading_parts import spelling_key
from shelfread.init.inferred_subjects import Subject
from shelfread.init.inferred_taxonomy import InferredTaxonomy
from shelfread.mapping.subject_names import make_ids, scalar, sequence
from shelfread.taxonomy.label_index import make_labels

_FORMS = "forms"
_MAX_WIDTH = 110


def render_taxonomy(taxonomy: InferredTaxonomy, context: RuleContext) -> str:
    """Return the text of a taxonomy."""
    language = taxonomy.from_headings.language
    lines = ["# Written by `shelfread init` from the lists of this folder, as a start to edit.", ""]
    lines += [f"title: {scalar(taxonomy.title or 'Subjects')}", f"iri: {scalar(taxonomy.iri)}"]
    if language != "en":
        lines += [f"language: {language}"]
    lines += _extends(taxonomy)
    if taxonomy.subjects:
        lines += [
            "closed: true   # sections of other subjects are reported, also if the taxonomy above has them"
        ]
    if taxonomy.order:
        lines += ["", "# Sections that are years or venues are no concepts, but have an order."]
        order = taxonomy.order
        lines += [f"order: {order[0] if len(order) == 1 else sequence(order)}"]
    lines += ["", *_concepts(taxonomy)]
    if taxonomy.from_headings.forms:
        lines += ["", "# What sections list, whatever their subject.", "forms:"]
        for id, form in taxonomy.from_headings.forms.items():
            lines += _term(scalar(id), _labels(form, language))
    vocabulary = context.vocabulary
    if taxonomy.roles:
        lines += [
            "",
            "# What the labels of links say, in addition to the roles that shelfread knows (Paper, Code ...).",
        ]
        lines += ["# Remove what is no kind of link.", "links:", *_words(taxonomy.roles, vocabulary.roles)]
    if taxonomy.venues:
        lines += ["", "# Conferences and journals that shelfread does not know; remove what is none."]
        lines += ["venues:", *_words(taxonomy.venues, vocabulary.venues)]
    return "\n".join(lines) + "\n"


def _extends(taxonomy: InferredTaxonomy) -> Iterator[str]:
    subjects, name = taxonomy.subjects.values(), taxonomy.bundled.name
    known = sum(bool(subject.concept or subject.wider) for subject in subjects)
    if taxonomy.extends:
        yield f"# {name} knows {known} of these {len(subjects)} subjects: those with its ids take their other names,"
        yield "# definitions and broader concepts from there."
        yield f"extends: {name}"
    else:
        yield f"extends: {_FORMS}   # Survey, Books, Tools ..., in several languages"


def _concepts(taxonomy: InferredTaxonomy) -> Iterator[str]:
    subjects = taxonomy.subjects
    if not subjects:
        yield "# There are no concepts, as most headings of the lists are no subjects, but venues, years or kinds of things."
        yield "# To add some: concepts: {scheduling: {prefLabel: Cluster Scheduling}}"
        return
    yield "# The subjects of the lists, in the order of the sections. A section of another name is reported."
    yield "#   prefLabel: the name of the section        altLabel: [other names that are right too]"
    yield "#   broader: the sections that it may be in   hiddenLabel: [names to replace, such as misspellings]"
    yield "concepts:"
    ids = concept_ids(taxonomy)
    broader = {ids[key]: _broader(key, ids, taxonomy) for key in subjects}
    for key, subject in subjects.items():
        values = _labels(subject, taxonomy.from_headings.language)
        above = _not_implied(broader[ids[key]], broader, taxonomy)
        if above:
            values.append(f"broader: {above[0] if len(above) == 1 else '[' + ', '.join(above) + ']'}")
        if not taxonomy.extends:
            values += _matches(subject, taxonomy)
        elif subject.concept is not None:
            values += _related(subject.concept, broader, taxonomy)
        yield from _term(ids[key], values)


def _broader(key: str, ids: Mapping[str, str], taxonomy: InferredTaxonomy) -> list[str]:
    """Return the broader concepts to write for a subject, which are none if the bundled taxonomy has them."""
    subject = taxonomy.subjects[key]
    broader = [ids[parent] for parent in subject.broader]
    if not taxonomy.extends:
        return broader
    if subject.concept is not None:
        known = not taxonomy.has_levels or set(broader) <= set(taxonomy.bundled.ancestors(subject.concept))
        return [] if known else broader
    return broader or ([subject.wider] if subject.wider else [])


def _related(concept: str, broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy) -> Iterator[str]:
    """Yield the related concepts of a bundled one, if the levels of the lists make one of them broader or narrower."""
    related = taxonomy.bundled.concepts[concept].related
    own = _ancestors(concept, broader, taxonomy) if related else set()
    kept = [
        other for other in related if other not in own and concept not in _ancestors(other, broader, taxonomy)
    ]
    if len(kept) < len(related):
        yield f"related: {sequence(kept)}"


def _not_implied(
    above: Sequence[str], broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy
) -> list[str]:
    """Return broader concepts without those that are broader than another one of them."""
    implied = (
        {other for each in above for other in _ancestors(each, broader, taxonomy)} if len(above) > 1 else ()
    )
    return [each for each in above if each not in implied]


def _ancestors(id: str, broader: Mapping[str, Sequence[str]], taxonomy: InferredTaxonomy) -> set[str]:
    bundled = taxonomy.bundled.concepts
    found: set[str] = set()
    waiting = [id]
    while waiting:
        each = waiting.pop()
        above = broader.get(each) or (bundled.broader(each) if taxonomy.extends and each in bundled else ())
        waiting += [other for other in above if other not in found]
        found.update(above)
    return found


def _matches(subject: Subject, taxonomy: InferredTaxonomy) -> Iterator[str]:
    """Yield the references to the bundled concepts that a subject is, or is a part of."""
    for match, concept in (("exactMatch", subject.concept), ("broadMatch", subject.wider)):
        if concept is not None:
            yield f"{match}: [{scalar(taxonomy.bundled.iri_of(concept))}]"


def concept_ids(taxonomy: InferredTaxonomy) -> dict[str, str]:
    """Return the id of each subject: that of the bundled concept which it extends, else one made of its label."""
    subjects = taxonomy.subjects.items()
    ids = {key: scalar(subject.concept) for key, subject in subjects if subject.concept and taxonomy.extends}
    # An English name makes an id that everybody can type.
    labels = {key: subject.labels.get("en", subject.label) for key, subject in subjects if key not in ids}
    taken = (
        {*taxonomy.bundled.concepts, *taxonomy.bundled.forms}
        if taxonomy.extends
        else set(taxonomy.from_headings.forms)
    )
    return {**ids, **make_ids(labels, taken)}


def _labels(subject: Subject, language: str) -> list[str]:
    if subject.labels:
        pairs = {language: subject.label, **dict(sorted(subject.labels.items()))}
        values = [f"prefLabel: {{{', '.join(f'{tag}: {scalar(text)}' for tag, text in pairs.items())}}}"]
    else:
        values = [f"prefLabel: {scalar(subject.label)}"]
    plain = make_labels((), ())
    known = {spelling_key(subject.label, plain): subject.label}
    for other in (*subject.spellings, *subject.others.get(language, ())):
        known.setdefault(spelling_key(other, plain), other)
    if others := list(known.values())[1:]:
        values.append(f"altLabel: {sequence(others)}")
    if subject.misspelt:
        values.append(f"hiddenLabel: {sequence(subject.misspelt)}")
    return values


def _term(id: str, values: Sequence[str]) -> Iterator[str]:
    """Yield a term on one line, or if that is long, with each key on a line of its own."""
    line = f"  {id}: {{{', '.join(values)}}}"
    if len(line) <= _MAX_WIDTH:
        yield line
        return
    yield f"  {id}:"
    yield from (f"    {value}" for value in values)


def _words(labels: Mapping[str, str], taken: Mapping[str, object]) -> Iterator[str]:
    ids = make_ids(labels, taken)
    for key, label in labels.items():
        yield from _term(ids[key], [f"prefLabel: {scalar(label)}"])
