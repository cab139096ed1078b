"""What entries lack or have outgrown, according to sources of bibliographic data."""
