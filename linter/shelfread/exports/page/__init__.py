"""One self-contained HTML page of lists."""
