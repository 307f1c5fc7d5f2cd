"""All texts of films and commands, and their languages."""
