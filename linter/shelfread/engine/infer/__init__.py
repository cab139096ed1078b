"""What a configuration and a taxonomy would say of lists that have none."""
