"""Canvas, sprites, cells, letters and themes."""
