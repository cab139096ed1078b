"""A list as its maintainer sees it: sections, entries and links, each with its place."""
