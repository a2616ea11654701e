"""Hardware that can be bought, one YAML file per part; `load` reads all of it.

It reads ``<kind>s/<sku>.yaml`` beside this file and the parts that a site adds, and returns a `Catalog` of frozen records. A new part is one new
file; nothing else names it.
"""

from rackwright.catalog.loader import FOLDERS, Catalog, load, misnamed, validate_part
from rackwright.catalog.routing import Routing

__all__ = ["FOLDERS", "Catalog", "Routing", "load", "misnamed", "validate_part"]
