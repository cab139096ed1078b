"""Where an entry belongs, by what the other entries of its list say."""
