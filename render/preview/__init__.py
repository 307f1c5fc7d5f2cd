"""The preview: the player, served by a local server that updates it when files change."""
