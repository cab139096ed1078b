"""The language server: diagnostics, code actions, formatting and navigation for editors, on pygls."""
