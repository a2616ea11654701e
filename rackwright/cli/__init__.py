"""The command line: `main` parses, one file per verb runs it and prints from records."""
