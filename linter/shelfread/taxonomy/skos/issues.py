"""What is wrong with a vocabulary that is to become a taxonomy."""

from __future__ import annotations

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError
from shelfread.core.support.json_schema import mismatches
from shelfread.taxonomy.integrity import Issue, error, integrity_issues
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.quality import quality_issues
from shelfread.taxonomy.skos.vocabulary import Vocabulary

_KINDS = ("venues", "links", "affiliations")


def vocabulary_issues(found: Vocabulary) -> list[Issue]:
    """Return all issues of a vocabulary by line."""
    places = found.places
    facts = {"iri": found.iri or None, "entry": found.entry}
    data = {**found.kinds, **{key: value for key, value in facts.items() if value is not None}}
    issues = [*found.issues]
    issues += (error("schema", places.error(*mismatch)) for mismatch in mismatches(data, "taxonomy"))
    kinds = {**found.kinds, **{kind: {} for kind in _KINDS}}
    known = vocabulary()
    issues += integrity_issues(kinds, known.roles, known.venues, places)
    iris = {
        term.get("iri", found.iri + id): id for terms in found.kinds.values() for id, term in terms.items()
    }
    issues += quality_issues(kinds, iris, found.language, places)
    return sorted(issues, key=lambda issue: (issue.error.line or 0, -issue.severity, issue.error.message))


def raise_errors(found: Vocabulary, name: str) -> None:
    """Raise TaxonomyError for the first error of a vocabulary, with the number of others."""
    errors = [issue.error for issue in vocabulary_issues(found) if issue.severity is Severity.ERROR]
    if errors:
        first = errors[0]
        more = f" (and {len(errors) - 1:,} more: shelfread taxonomy check {name})" if len(errors) > 1 else ""
        raise TaxonomyError(f"{first.message}{more}", first.path, first.line, first.column)
