"""The commands: one module for each, whose `run` gets the parsed options."""
