"""Compiles loops with numba and keeps their machine code."""
