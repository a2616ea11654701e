"""What is asked: reads ``site.yaml``, or says everything that is wrong with it at once.

In: a path. Out: `Loaded` (site, catalog, where each field stands) or `ProblemsError` with file, line, expected, found
and next step of every mistake. Reads files, does nothing else.
"""

from rackwright.spec.load import Loaded, load
from rackwright.spec.schema import schema

__all__ = ["Loaded", "load", "schema"]
