"""The files of a project on disk, and what git tells of them."""
