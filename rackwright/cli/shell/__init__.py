"""Verbs for the shell of the user."""
