"""General helpers, independent of lists."""
