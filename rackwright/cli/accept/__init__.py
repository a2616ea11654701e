"""Verbs that collect evidence, run tests, judge, and decide which nodes may join."""
