"""Whose packages hosts install: over HTTP anybody may answer in place of the mirror, so its key must be pinned by digest."""

from __future__ import annotations

from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.access import Access
from rackwright.model.software import Software

PIN = "base_apt_key_sha256"
RPM_PIN = "base_rpm_keys_sha256"


def refuse_unpinned(software: Software, access: Access) -> None:
    """ProblemsError for a mirror over HTTP without a pinned key. HTTPS says who answers; the first key that comes is trusted then."""
    if not software.apt_mirror.startswith("http://"):
        return
    rpm = any(software.bill(pool).packager == "rpm" for pool in ("", *software.pools))
    pins = [
        ("rackwright-mirror.asc", PIN, access.mirror_key),
        *([("rackwright-rpm-keys.asc", RPM_PIN, access.rpm_keys)] if rpm else []),
    ]
    problems = [
        _not_pinned(software, file, option) for file, option, pin in pins if not (pin or software.options.get(option))
    ]
    if problems:
        raise ProblemsError(problems)


def _not_pinned(software: Software, file: str, option: str) -> Problem:
    return Problem(
        place="site",
        path="software.apt_mirror",
        message="hosts would trust whatever key answers there first, and every package that it signs",
        expected="a key that is pinned by digest, or https",
        found=f"{software.apt_mirror} and no pin of {file}",
        next_step=f"run `rackwright mirror sync`, which writes site.lock.json, or give software.options.{option}: sha256sum of {file}",
        code="onboard.mirror_not_pinned",
    )
