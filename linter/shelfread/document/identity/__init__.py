"""What makes two entries the same thing."""
