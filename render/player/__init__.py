"""The player: searches as one HTML page that readers can play, pause and step through."""
