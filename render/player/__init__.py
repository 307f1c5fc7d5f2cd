"""The player: searches as one page of HTML that readers can play, stop and step through."""
