"""A film: searches and settings, and any of its frames."""
