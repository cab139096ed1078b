"""What a change did to lists: entries added, removed, moved and changed, and what is found in them."""
