"""What is wrong with a vocabulary that is to become a taxonomy, and its text as one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import TaxonomyError
from shelfread.core.json_schema import mismatches
from shelfread.core.yaml_files import LARGE, parse
from shelfread.taxonomy.integrity import Issue, error, integrity_issues
from shelfread.taxonomy.load import vocabulary
from shelfread.taxonomy.problems import first_error, quality_issues
from shelfread.taxonomy.skos.rdf_reader import read_rdf
from shelfread.taxonomy.skos.scheme import Scheme, read_scheme
from shelfread.taxonomy.yaml_text import remarks_as_comments, taxonomy_text


class Part(NamedTuple):
    """What of a file is to be read, and how."""

    syntax: str
    base: str | None = None  # what its relative IRIs are relative to
    root: str | None = None  # the concept that is all of it, with those narrower


def rdf_issues(path: str, part: Part) -> list[Issue]:
    """Return all issues of a file of RDF by line."""
    return _issues(_read(path, part))


def _read(path: str, part: Part) -> Scheme:
    return read_scheme(read_rdf(path, part.syntax, part.base), Path(path).stem, part.root)


def import_rdf(path: str, part: Part) -> str:
    """Return a file of RDF as the text of a taxonomy. Raises TaxonomyError for the first error in it."""
    scheme = _read(path, part)
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
