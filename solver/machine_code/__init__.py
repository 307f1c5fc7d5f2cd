"""Machine code of loops: made by numba, stored in checked files, and called without numba."""
