"""The web: what links lead to, asked politely and safely."""
