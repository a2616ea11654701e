"""Verbs that run on the digital twin of a site."""
