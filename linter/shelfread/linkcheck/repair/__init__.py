"""What could take a link's place."""
