"""Entries against the taxonomy that the config names: their fields, their labels, their organisations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from shelfread.checks.common.labels import span_of
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.export import entry_data
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.document.recognizers.citation import is_citation
from shelfread.index.conventions.majority import learn
from shelfread.index.conventions.title_line import labels_of
from shelfread.index.index import Survey
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.taxonomy import Concept

_WORD = lazy(r"[^\W\d_]")
_LEAST_NAME = 4
_LONG_VALUE = 40


def entry(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Entries that do not fit the taxonomy's schema of one, as export gives them."""
    taxonomy = survey.taxonomy
    if taxonomy.entry is None and not any(concept.entry for concept in taxonomy.concepts.values()):
        return
    for one in document.entries:
        data = entry_data(one, document, taxonomy)
        for validator in survey.entry_validators(data["concept"]):
            for wrong in validator.iter_errors(data):
                yield RawDiagnostic(_blamed(one, list(wrong.absolute_path)), _said(wrong))


def _blamed(one: Entry, path: Sequence[str | int]) -> Span:
    """The part of an entry that a violation is about; the title where there is no such part."""
    key, rest = (path[0], path[1:]) if path else ("", ())
    at = rest[0] if rest and isinstance(rest[0], int) else None
    parts: Mapping[str, Sequence[Any]] = {
        "authors": one.authors, "affiliations": one.affiliations, "notes": one.notes
    }  # fmt: skip
    if key == "links" and at is not None:
        return one.links[at].link.text
    if key in parts and parts[str(key)]:
        span: Span = parts[str(key)][at or 0].span
        return span
    if key in ("venue", "venue_text", "year") and one.citation is not None:
        return one.citation.span
    if key == "description" and one.description is not None:
        return one.description.span
    if key == "name" and one.name is not None:
        return one.name.span
    return one.title.span


def _said(wrong: Any) -> dict[str, object]:
    """A violation in the schema's own words, else in jsonschema's."""
    part = wrong
    while part is not None:
        described = part.schema.get("description") if isinstance(part.schema, dict) else None
        if described:
            return {"fault": str(described)[:300]}
        part = part.parent
    where = "/".join(map(str, wrong.absolute_path))
    if wrong.instance is None:
        return {"fault": f"{where} is not stated"}
    value = repr(wrong.instance)
    if len(value) > _LONG_VALUE and wrong.message.startswith(value):
        return {"fault": f"{where}{wrong.message[len(value) :]}"}
    return {"fault": f"{where}: {wrong.message[:200]}" if where else wrong.message[:200]}


# ------------------------------------------------------------------------------------------- links
# What a label of these names is more than its role: the framework, the publisher.
_TELLING = frozenset(
    """pytorch,tensorflow,tf,torch,keras,jax,flax,mxnet,paddle,paddlepaddle,mindspore,caffe,caffe2,theano,chainer,
    matlab,python,julia,rust,arxiv,acm,acm dl,ieee,ieee xplore,usenix,springer,elsevier,sciencedirect,doi,hal,ssrn,
    biorxiv,techrxiv,cvf,pmlr,acl,youtube,bilibili,vimeo,colab,google colab,huggingface,hugging face,hf,zhihu,
    twitter,linkedin,slideshare,openreview,medium,thesis,phd thesis,tech report,technical report,white paper,
    whitepaper,report,article,preprint,extended version,long version,journal version,conference version,full paper,
    library,software,artifact,artifacts,official,unofficial,podcast,webinar,keynote,trailer,teaser,oral,interview,
    book chapter,chapter,ebook,leaderboard,traces,trace,corpus,wiki,api,tutorial,tutorials,
    forum""".replace("\n    ", "").split(",")
)  # fmt: skip


def link_role(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Labels that no role has, that are another name of one, or of a role that the section does not allow."""
    taxonomy, vocabulary, text = survey.taxonomy, survey.vocabulary, document.source.text
    if not taxonomy.concepts:
        return
    for one in document.entries:
        if one.kind != "paper":
            continue
        concept = _concept_of(one, document, survey)
        labels = list(labels_of(one, text))
        for label in labels:
            role = vocabulary.role(label.label)
            if role is None:
                if not is_name(label.label, survey):
                    yield _unknown(label, survey, text)
                continue
            if concept is not None and concept.roles is not None and role.id not in concept.roles:
                allowed = ", ".join(vocabulary.roles[id].label for id in concept.roles)
                fault = f"is a link that '{concept.label}' does not have (it has {allowed})"
                yield RawDiagnostic(span_of(label, text), {"label": label.label, "fault": fault})
            elif label.label.casefold() != role.label.casefold():
                yield from _alias(label, role.label, labels, survey, text)


def _alias(
    label: LabelledLink, preferred: str, labels: Sequence[LabelledLink], survey: Survey, text: str
) -> Iterator[RawDiagnostic]:
    """Another name of a role than the preferred one, where the list mostly uses that."""
    convention = learn(survey.role_labels.get(preferred, Counter()))
    if convention is None or convention.form.casefold() != preferred.casefold():
        return
    if fold(label.label) in _TELLING or any(
        other.label.casefold() == preferred.casefold() for other in labels
    ):
        return  # two links of one role need two labels
    span = span_of(label, text)
    edits: tuple[Edit, ...] = ()
    if text[span.start : span.end] == label.label:
        edits = (Edit(*span, convention.form, Effect(Change.WORDS, label.label, convention.form)),)
    fault = f"is `{convention.form}` in {convention.cases} of {convention.total} links here"
    yield RawDiagnostic(span, {"label": label.label, "fault": fault}, edits)


def _concept_of(one: Entry, document: Document, survey: Survey) -> Concept | None:
    """The concept of the nearest section above that names one."""
    index = one.section
    while index is not None:
        match = survey.taxonomy.find(document.sections[index].title)
        if match is not None:
            return match.concept
        index = document.sections[index].parent
    return None


def is_name(label: str, survey: Survey) -> bool:
    """Whether a label is a venue, a year, or no word at all, and so names no role."""
    return not _WORD.search(label) or any(map(str.isdigit, label)) or is_citation(label, survey.vocabulary)


def _unknown(label: LabelledLink, survey: Survey, text: str) -> RawDiagnostic:
    """A label that no role has: a slip where one is near, else perhaps meant so."""
    span, folded = span_of(label, text), fold(label.label)
    near = [] if len(folded) < _LEAST_NAME else survey.role_names.get(folded[0], ())
    right = next((written for name, written in near if is_slip(folded, name)), None)
    if right is None:
        fault = "is a label that no link role has"
        return RawDiagnostic(span, {"label": label.label, "fault": fault}, severity=Severity.INFO)
    edits: tuple[Edit, ...] = ()
    if text[span.start : span.end] == label.label:
        edits = (Edit(*span, right, Effect(Change.WORDS, label.label, right)),)
    fault = f"is a label that no link role has, did you mean `{right}`?"
    return RawDiagnostic(span, {"label": label.label, "fault": fault}, edits, Applicability.UNSAFE)


# ----------------------------------------------------------------------------------- organisations
def affiliation(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Organisations under another name than the one that the taxonomy wants printed."""
    taxonomy, text = survey.taxonomy, document.source.text
    if not taxonomy.affiliations:
        return
    for one in document.entries:
        for field in one.affiliations:
            known = taxonomy.affiliation(field.value)
            if known is None or field.value == known.label or text[slice(*field.span)] != field.value:
                continue
            effect = Effect(Change.WORDS, field.value, known.label)
            values = {"name": field.value, "label": known.label}
            yield RawDiagnostic(field.span, values, (Edit(*field.span, known.label, effect),))
