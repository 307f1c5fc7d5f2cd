"""The options of a film: what each accepts and means."""
