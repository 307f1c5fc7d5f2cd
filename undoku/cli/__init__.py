"""The command `undoku`: one module for each subcommand."""
