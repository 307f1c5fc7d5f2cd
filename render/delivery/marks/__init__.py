"""The marks of a film as files for editors and platforms."""
