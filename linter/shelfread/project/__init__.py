"""The files of a project and its configuration."""
