"""The pipeline from files to findings and fixes."""
