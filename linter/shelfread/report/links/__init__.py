"""Reports of link checks."""
