"""TOML files of the user's: read within limits, their mistakes shown in their place."""
