"""What the server answers about a list: one module a feature, each a pure function of an analysis."""
