"""What films say: every text declared once, and the languages that it is said in."""
