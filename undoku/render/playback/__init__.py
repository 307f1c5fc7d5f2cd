"""The state of searches at a frame, and what charts keep of the past."""
