"""Many lists at once: each becomes rows, in a process of its own, and the rows become tables and a page."""
