"""What you see: films and pictures of a search."""
