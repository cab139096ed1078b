"""One entry: its title line, links, labels and sub-lines."""
