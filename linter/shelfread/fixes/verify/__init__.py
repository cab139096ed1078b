"""Check that edits change only what they declare."""
