"""Backtracking in plain Python, written from the definitions in docs/strategies.md and the cited
sources alone, without a look at the compiled loops. Slow, and meant to be read."""
