"""HTTP requests: throttled, bounded, never to a private network."""
