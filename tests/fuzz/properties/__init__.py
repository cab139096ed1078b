"""What must hold, told by code that shares nothing with what it judges."""
