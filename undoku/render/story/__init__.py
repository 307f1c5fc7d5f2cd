"""What a film says, and when."""
