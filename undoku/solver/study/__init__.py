"""Many searches: studies of strategies on collections, and the generator of puzzles."""
