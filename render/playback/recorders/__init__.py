"""Recorders: what panels need to know of the whole past, folded as the events go by."""
