"""Machine code of loops: made by numba, kept in checked files, and entered without numba."""
