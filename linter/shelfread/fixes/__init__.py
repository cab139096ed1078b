"""Select, apply and verify fixes."""
