"""Verbs that bring nodes to the declared software."""
