"""Reports about taxonomies: what is wrong with them, what differs, and how lists use them."""
