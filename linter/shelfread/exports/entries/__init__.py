"""Lists as they were read, for people."""
