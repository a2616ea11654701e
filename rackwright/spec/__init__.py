"""What is asked: reads ``site.yaml``, or says everything that is wrong with it at once.

Reads files, does nothing else.
"""

from rackwright.spec.load import LoadedSite, load
from rackwright.spec.schema import schema

__all__ = ["LoadedSite", "load", "schema"]
