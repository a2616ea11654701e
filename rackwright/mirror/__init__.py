"""The offline mirror of an air-gapped site: lists, fetches and checks every file that its nodes need, by digest.

plan    what the nodes need, from which upstream, and whether the mirror has it       reads the lock
sync    fetch, verify, publish as apt and rpm repositories signed by one key         upstreams, files
verify  check every digest, signature and index, and that no required file is missing  files
"""

from __future__ import annotations

from rackwright.mirror.install_groups import InstallGroup, group_required, of_the_site
from rackwright.mirror.layout import LOCK, PUBLIC_KEY
from rackwright.mirror.plan import MirrorPlan, MirrorPlanLine, plan_mirror
from rackwright.mirror.required_files import MirrorPaths
from rackwright.mirror.sync import sync_mirror
from rackwright.mirror.sync_records import JOBS, OnEvent, SyncOptions, SyncResult
from rackwright.mirror.verify import MirrorVerification, verify_mirror
from rackwright.upstreams import Upstreams, load_upstreams, override_urls

__all__ = [
    "JOBS",
    "LOCK",
    "PUBLIC_KEY",
    "InstallGroup",
    "MirrorPaths",
    "MirrorPlan",
    "MirrorPlanLine",
    "MirrorVerification",
    "OnEvent",
    "SyncOptions",
    "SyncResult",
    "Upstreams",
    "group_required",
    "load_upstreams",
    "of_the_site",
    "override_urls",
    "plan_mirror",
    "sync_mirror",
    "verify_mirror",
]  # fmt: skip
