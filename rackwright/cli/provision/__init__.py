"""Verbs that provision machines and mirror their software."""
