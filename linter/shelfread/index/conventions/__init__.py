"""What a list mostly does: observed, counted, learned."""
