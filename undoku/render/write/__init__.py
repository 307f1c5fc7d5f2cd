"""Writers of all formats, and readers of what they wrote."""
