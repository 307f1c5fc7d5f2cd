"""Puzzles: cells, values and what excludes what; their files."""
