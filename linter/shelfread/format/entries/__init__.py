"""Write the entries of papers in one style."""
