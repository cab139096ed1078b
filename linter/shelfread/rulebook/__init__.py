"""Rule pages, their options, and which rules run."""
