"""Labels that do not fit the link roles of the taxonomy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shelfread.checks.paper.label_role import span_of
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.entry_data import concept_id
from shelfread.document.heading_subjects import names_no_role
from shelfread.document.model import Document, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.conventions import learn
from shelfread.index.line_style import labels_of
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Role

_MIN_NAME = 4
_JOINED = lazy(r"[+&/]|\band\b")
# Labels and words in them that say more than their role: the framework, the publisher.
_SPECIFIC = frozenset(
    """pytorch,tensorflow,tf,torch,keras,jax,flax,mxnet,paddle,paddlepaddle,mindspore,caffe,caffe2,theano,chainer,
    matlab,python,julia,rust,arxiv,acm,acm dl,ieee,ieee xplore,usenix,springer,elsevier,sciencedirect,doi,hal,ssrn,
    biorxiv,techrxiv,cvf,pmlr,acl,youtube,bilibili,vimeo,colab,google colab,huggingface,hugging face,hf,zhihu,
    twitter,linkedin,slideshare,openreview,medium,thesis,phd thesis,tech report,technical report,white paper,
    whitepaper,report,article,preprint,extended version,long version,journal version,conference version,full paper,
    library,software,artifact,artifacts,official,unofficial,podcast,webinar,keynote,trailer,teaser,oral,interview,
    book chapter,chapter,ebook,leaderboard,traces,trace,corpus,wiki,api,tutorial,tutorials,
    forum""".replace("\n    ", "").split(",")
)  # fmt: skip


def link_role(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report labels that name no role, that are not the usual name, or whose role the section may not have."""
    taxonomy, vocabulary, text = context.taxonomy, context.vocabulary, document.source.text
    if not taxonomy.concepts:
        return
    for entry in document.entries:
        if entry.kind != "paper":
            continue
        id = concept_id(entry, document, taxonomy) if taxonomy.restricts_links else None
        concept = taxonomy.concepts.get(id) if id else None
        labels = list(labels_of(entry, text))
        for label in labels:
            role = vocabulary.role(label.label)
            if role is None:
                if not names_no_role(label.label, context.vocabulary):
                    yield _unknown(label, context, text)
            elif concept is not None and concept.roles is not None and role.id not in concept.roles:
                allowed = ", ".join(vocabulary.roles[id].label for id in concept.roles)
                values = {"label": label.label, "section": concept.label, "allowed": allowed}
                yield RawDiagnostic(span_of(label, text), values, message="not-allowed")
            elif label.label.casefold() != role.label.casefold():
                yield from _alias(label, role, labels, context, text)


def _alias(
    label: LabelledLink, role: Role, labels: Sequence[LabelledLink], context: RuleContext, text: str
) -> RawDiagnostics:
    """Report another name of a role if the list mostly uses the preferred one."""
    said = fold(label.label)
    convention = learn(context.conventions.role_labels.get(role.label, Counter()))
    if convention is None or convention.form.casefold() != role.label.casefold():
        return
    says_more = not _SPECIFIC.isdisjoint((said, *said.split())) or _JOINED.search(label.label)
    if says_more or sum(context.vocabulary.role(other.label) is role for other in labels) > 1:
        return  # `Code+Data`; two links of one role need two labels
    span, usual = span_of(label, text), convention.form
    values = {"label": label.label, "usual": usual, "count": convention.cases, "total": convention.total}
    yield RawDiagnostic(span, values, _edits(label, span, usual, text), message="usual")


def _unknown(label: LabelledLink, context: RuleContext, text: str) -> RawDiagnostic:
    """Return the diagnostic of a label that names no role: a warning if a role's name is a slip away."""
    span, folded = span_of(label, text), fold(label.label)
    names = context.conventions.role_names.get(folded[0], ()) if len(folded) >= _MIN_NAME else ()
    right = next((written for name, written in names if is_slip(folded, name)), None)
    if right is None:
        return RawDiagnostic(span, {"label": label.label}, severity=Severity.INFO, message="unknown")
    values, edits = {"label": label.label, "suggestion": right}, _edits(label, span, right, text)
    return RawDiagnostic(span, values, edits, safe=False, message="misspelt")


def _edits(label: LabelledLink, span: Span, right: str, text: str) -> tuple[Edit, ...]:
    return (Edit.reword(span, label.label, right),) if text[slice(*span)] == label.label else ()
