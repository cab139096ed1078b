"""Format blank lines, lists, headings, tables and emphasis."""
