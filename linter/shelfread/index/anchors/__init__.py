"""Anchors of headings, and the links that lead to them."""
