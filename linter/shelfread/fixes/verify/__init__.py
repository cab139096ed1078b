"""Conservation: whether an edit altered only what it declared."""
