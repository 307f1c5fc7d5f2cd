"""The user's TOML files: read within limits, with mistakes reported at their place."""
