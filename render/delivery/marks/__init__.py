"""A film's marks as files that editors and platforms read."""
