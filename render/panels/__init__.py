"""Panels: one file each, one contract (`render.panels.contract`)."""
