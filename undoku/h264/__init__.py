"""An H.264 encoder for drawn pictures: sprites and rectangles in, samples out."""
