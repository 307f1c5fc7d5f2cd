"""The panels of a film."""
