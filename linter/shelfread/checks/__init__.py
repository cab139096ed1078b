"""What rules look for: one module a family; each check yields places and values, no words."""
