"""The preview: the player, opened from a server on this machine that follows what it shows."""
