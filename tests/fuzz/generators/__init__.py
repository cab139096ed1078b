"""What makes inputs: from nothing, and from lists, pages and settings that exist."""
