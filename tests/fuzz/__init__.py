"""Fuzzing: random inputs, what must hold for each of them, and the inputs for which it once did not."""
