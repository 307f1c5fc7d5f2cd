"""What each command does: one module each, whose `run` gets the parsed options."""
