"""The offline mirror of an air-gapped site: what its nodes will ask for is listed, fetched and checked, each file by digest.

plan    what is asked for, from which upstream, and whether the mirror has it        reads the lock
sync    fetch, verify, publish as apt and rpm repositories signed by one key         upstreams, files
verify  every digest, signature and index, and that nothing that is asked for lacks  files
"""

from __future__ import annotations

from rackwright.mirror.layout import LOCK, PUBLIC_KEY
from rackwright.mirror.order import JOBS, Event, Order, Synced
from rackwright.mirror.plan import Line, Plan, plan
from rackwright.mirror.requested import Group, groups
from rackwright.mirror.required import Places
from rackwright.mirror.sync import sync
from rackwright.mirror.upstreams import Upstreams, load, overridden
from rackwright.mirror.verify import Verified, verify

__all__ = [
    "JOBS", "LOCK", "PUBLIC_KEY", "Event", "Group", "Line", "Order", "Places", "Plan", "Synced", "Upstreams", "Verified",
    "groups", "load", "overridden", "plan", "sync", "verify",
]  # fmt: skip
