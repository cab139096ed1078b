"""The identity of entries: identifiers and keys."""
