"""Searches: problems, strategies, their loops, and the traces of place and undo events they
leave."""
