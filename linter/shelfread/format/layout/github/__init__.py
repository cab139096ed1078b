"""Read blocks as GitHub does: the algorithm of cmark-gfm, its parser."""
