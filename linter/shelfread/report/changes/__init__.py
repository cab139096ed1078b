"""Reports of changes between two commits."""
