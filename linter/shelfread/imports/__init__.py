"""What a curator has at hand, as entries: citations, BibTeX, RIS, CSL-JSON, tables, copied pages, identifiers."""
