"""What lists are about and whom they cite: concepts, venues and link roles, in SKOS's terms."""
