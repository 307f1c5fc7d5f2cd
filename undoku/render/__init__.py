"""Films and pictures of searches."""
