"""The names of classes and properties."""

from __future__ import annotations

SKOS = "http://www.w3.org/2004/02/skos/core#"
OWN = "urn:shelfread:terms#"
"""The namespace of what taxonomies have and SKOS has not."""
PREFIXES = {"skos": SKOS, "shelfread": OWN}

ID = "shelfread:id"
"""A concept: its id in the taxonomy, if its IRI does not end with it."""
INCLUDES = "shelfread:includes"
"""A concept: the name of a narrower subject that has no concept of its own."""
POSITION = "shelfread:position"
"""A concept: its place in the order of sections, from 1. A graph has no order."""
LINKS = "shelfread:links"
"""A concept: the ids of the link roles that its entries may have, separated by blanks."""
ENTRY = "shelfread:entry"
"""A concept or the scheme: the JSON Schema of its entries, as JSON text."""
FORMS_OF = "shelfread:formsOf"
"""The scheme of the forms: that of the subjects."""


def full(name: str) -> str:
    """Return the IRI of a name with a prefix, such as skos:Concept."""
    prefix, _, local = name.partition(":")
    return f"{PREFIXES[prefix]}{local}"
