"""The sound of a search."""
