"""Blank lines, lists, headings, tables and emphasis brought in line."""
