"""Where the panels of a film are placed."""
