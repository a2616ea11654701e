"""Verbs that check, expand, draw, compare and export a design."""
