"""The options of a film, each declared once (`render.options.table`)."""
