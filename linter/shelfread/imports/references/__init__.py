"""Reference lists as papers print them: numbered, author-year, IEEE, APA, run together."""
