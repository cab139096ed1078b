"""What earlier runs found."""
