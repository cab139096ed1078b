"""What is known of a whole project: facts of each file, merged."""
