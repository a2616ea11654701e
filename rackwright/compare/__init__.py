"""The comparisons that checks share, so that a check file holds its claim and nothing else.

Pure, and the only package besides `rackwright.model` that a check may import. Everything here fails closed: a reading
that is None, an empty set of readings or a missing limit is `inconclusive`, never `pass`.

    limits.py    the limit of a node        floors.py   the tolerance below a measurement, in one place
    readings.py  readings -> finding        peers.py    a node compared with its peers
    parts.py  software.py  fabric.py        shared by the checks of one domain
    named_readings.py                       readings by the name of their part
    node_columns.py  fleet_readings.py  node_pairs.py   the columns that fleet checks take from a record
"""

from rackwright.compare.bounds import Claim
from rackwright.compare.fabric import subnet_links, switch_name
from rackwright.compare.floors import Floor, at_least, at_most, ceiling, floor
from rackwright.compare.limits import advisory, limit, limit_source, limits_about, no_limit, number, words
from rackwright.compare.named_readings import NamedReadings, by_name, missing, positive
from rackwright.compare.node_columns import Reading, Readings, readings, shared
from rackwright.compare.parts import GIB, accelerator, by_device, has_accelerators, is_onboarded, name, sku_source
from rackwright.compare.peers import Fleet, compare_with_peers
from rackwright.compare.readings import equal, every, finding, worst
from rackwright.compare.robust import Spread, spread
from rackwright.compare.series import judge_steady, late_median, middle, mostly_read
from rackwright.compare.software import (
    bill_version,
    coupled_versions,
    installed_packages,
    matches,
    upstream_version,
    version_numbers,
)

__all__ = [
    "GIB",
    "Claim",
    "Fleet",
    "Floor",
    "NamedReadings",
    "Reading",
    "Readings",
    "Spread",
    "about",
    "accelerator",
    "advisory",
    "at_least",
    "at_most",
    "bill_version",
    "by_device",
    "by_name",
    "ceiling",
    "compare_with_peers",
    "coupled_versions",
    "equal",
    "every",
    "finding",
    "floor",
    "has_accelerators",
    "installed_packages",
    "is_onboarded",
    "judge_steady",
    "late_median",
    "limit",
    "limit_source",
    "limits_about",
    "matches",
    "middle",
    "missing",
    "mostly_read",
    "name",
    "no_limit",
    "number",
    "positive",
    "readings",
    "shared",
    "sku_source",
    "spread",
    "subnet_links",
    "switch_name",
    "upstream_version",
    "version_numbers",
    "words",
    "worst",
]
