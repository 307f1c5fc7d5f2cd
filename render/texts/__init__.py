"""The texts of films, each declared once, and their languages."""
