"""Reports about taxonomies."""
