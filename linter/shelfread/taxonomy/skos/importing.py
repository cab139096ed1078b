"""What is wrong with a vocabulary that is to become a taxonomy, and its text as one."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError
from shelfread.core.json_schema import mismatches
from shelfread.core.yaml_files import LARGE, parse
from shelfread.taxonomy.integrity import Issue, error, integrity_issues
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.problems import first_error, quality_issues
from shelfread.taxonomy.skos import SYNTAXES
from shelfread.taxonomy.skos.rdf_reader import read_rdf
from shelfread.taxonomy.skos.scheme import Scheme, read_scheme
from shelfread.taxonomy.yaml_text import remarks_as_comments, taxonomy_text


def rdf_issues(path: str, syntax: str, base: str | None) -> list[Issue]:
    """Return all issues of a file of RDF by line; its relative IRIs are relative to `base`."""
    return _issues(read_scheme(read_rdf(path, syntax, base), Path(path).stem, None))


def import_rdf(path: str, syntax: str | None, base: str | None, root: str | None) -> str:
    """Return a file of RDF, or its part from a concept `root` on, as the text of a taxonomy; raises TaxonomyError for its first error."""
    syntax = syntax or SYNTAXES.get(Path(path).suffix.lower())
    if syntax is None:
        choices = "|".join(dict.fromkeys(SYNTAXES.values()))
        raise TaxonomyError(f"the name does not say its syntax: add --from {choices}", path)
    scheme = read_scheme(read_rdf(path, syntax, base), Path(path).stem, root)
    homonyms = [issue.error.message for issue in scheme.issues if issue.name == "homonyms"]
    errors = [issue for issue in _issues(scheme) if issue.severity is Severity.ERROR]
    if errors:
        raise first_error(errors, path)
    header = [f"Imported from {Path(path).name} by `shelfread taxonomy import`."]
    facts = {
        "title": scheme.title,
        "language": scheme.language,
        "iri": scheme.iri or None,
        "entry": scheme.entry,
    }
    text = taxonomy_text([*header, *remarks_as_comments([*scheme.remarks, *homonyms])], facts, scheme.kinds)
    try:
        parse(text.encode(), path, TaxonomyError, LARGE)
    except TaxonomyError as fault:
        raise TaxonomyError(f"it is no taxonomy that can be read: {fault.message}", path) from None
    return text


def _issues(scheme: Scheme) -> list[Issue]:
    places, known = scheme.places, vocabulary()
    facts = {"iri": scheme.iri or None, "entry": scheme.entry}
    data = {**scheme.kinds, **{key: value for key, value in facts.items() if value is not None}}
    kinds = {**scheme.kinds, "venues": {}, "links": {}, "affiliations": {}}
    iris = {
        term.get("iri", scheme.iri + id): id for terms in scheme.kinds.values() for id, term in terms.items()
    }
    issues = [
        *scheme.issues,
        *(error("schema", places.error(*mismatch)) for mismatch in mismatches(data, "taxonomy")),
        *integrity_issues(kinds, known.roles, known.venues, places),
        *quality_issues(kinds, iris, scheme.language, places),
    ]
    return sorted(issues, key=lambda issue: (issue.error.line or 0, -issue.severity, issue.error.message))
