"""What earlier runs found, kept in the user's cache and used again as long as nothing that it depends on has changed."""
