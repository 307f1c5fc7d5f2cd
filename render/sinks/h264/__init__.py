"""Writes H.264 directly: repeated content is copied by motion vectors from the previous picture."""
