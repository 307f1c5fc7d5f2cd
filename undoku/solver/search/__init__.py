"""Strategies, and the loops that search by them."""
