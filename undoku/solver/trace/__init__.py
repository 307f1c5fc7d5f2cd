"""Traces: events, their state and counts, trace files, recording of other programs."""
