"""What each command does: one room each, whose `run` gets the parsed options."""
