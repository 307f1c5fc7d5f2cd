"""Many films from one manifest."""
