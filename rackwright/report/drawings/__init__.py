"""Drawings of the report: pure functions from view records to SVG text."""
