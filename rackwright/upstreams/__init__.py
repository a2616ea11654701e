"""Where what nodes install comes from: repositories of vendors and distributions, with their keys, and vendor files.

table   ``upstreams.yaml``, which of them serve a node, and where each is
"""

from rackwright.upstreams.table import (
    FLAT,
    SourceRepository,
    Upstream,
    Upstreams,
    bill_words,
    load_upstreams,
    match_length,
    override_urls,
    select_sources,
    serving_source,
    vendor_url,
)

__all__ = [
    "FLAT",
    "SourceRepository",
    "Upstream",
    "Upstreams",
    "bill_words",
    "load_upstreams",
    "match_length",
    "override_urls",
    "select_sources",
    "serving_source",
    "vendor_url",
]
