"""Find the files of projects and their configuration."""
