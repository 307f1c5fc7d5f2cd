"""Pages that play a film, and the preview that serves them."""
