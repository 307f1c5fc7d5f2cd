"""Which steps of a search fall on which frame of a film."""
