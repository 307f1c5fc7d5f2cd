"""The files of one run, written together."""
