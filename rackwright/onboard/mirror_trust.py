"""Whose packages hosts install: over HTTP anybody may answer in place of the mirror, so its key must be pinned by digest."""

from __future__ import annotations

from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.access import Access
from rackwright.model.software import Software

PIN = "base_apt_key_sha256"


def refuse_unpinned(software: Software, access: Access) -> None:
    """ProblemsError for a mirror over HTTP without a pinned key. HTTPS says who answers; the first key that comes is trusted then."""
    if not software.apt_mirror.startswith("http://") or access.mirror_key or software.options.get(PIN):
        return
    problem = Problem(
        place="site",
        path="software.apt_mirror",
        message="hosts would trust whatever key answers there first, and every package that it signs",
        expected="a key that is pinned by digest, or https",
        found=f"{software.apt_mirror} and no pin",
        next_step=f"run `rackwright mirror sync`, which writes site.lock.json, or give software.options.{PIN}: sha256sum of rackwright-mirror.asc",
        code="onboard.mirror_not_pinned",
    )
    raise ProblemsError([problem])
