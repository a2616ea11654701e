"""Reads ``site.yaml``, or reports everything that is wrong with it at once. Reads files and has no other side effect."""

from rackwright.spec.load import FileProblemsError, LoadedSite, load, site_roots
from rackwright.spec.schema import schema

__all__ = ["FileProblemsError", "LoadedSite", "load", "schema", "site_roots"]
