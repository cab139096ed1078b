"""Bibliographic data of papers and programs, from services on the network."""
