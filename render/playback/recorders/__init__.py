"""Recorders: the information that panels need about the whole past, updated with each event."""
