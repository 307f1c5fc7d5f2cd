"""H.264 written directly: the decoder composes the picture from blocks that it already has."""
