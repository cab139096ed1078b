"""What is known of an entry, a venue, a section or a rule, as Markdown for people."""
