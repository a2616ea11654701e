"""The two tables of `validators/MATRIX.md`: every site without hosts, which a test compares, and how rows with hosts ended, which were measured."""

from __future__ import annotations

from rackwright.base import content
from tests.matrix import rows

FILE = content.folder("validators", "MATRIX.md")
SITES = """# Servers, schedulers, systems and the gate

Every server of the catalog with accelerators, sized by `rackwright size` for each scheduler and played without hosts on the twin: whether
the last gate accepts the nodes of a healthy site, with which systems of its makers (`rackwright size --os`; the first is the one that is
sized without a wish), and whether it refuses exactly the node that a fault of each kind hits (`!` where it does not). Where nobody has
published limits, the site calibrates them first (`acceptance.calibrations`): the checks that need it are named. The last
rows play every other fabric of `rackwright size`. Written by `make matrix`; a test plays every row.

| Server | Scheduler | Fabric | Healthy | Systems | Device fault | Link fault | Software fault |
|---|---|---|---|---|---|---|---|
"""
HOSTS = """
# Played with hosts

`make matrix HOSTS=all` (or `rotation`, or names as `mi300x-8u/slurm/ubuntu-24.04`) sizes the site, checks it, and rehearses two nodes on
hosts of the twin: their packages, services and schedulers run. Seconds of the clock and of processors are those of the machine and the
day that played the row.

| Server | Scheduler | System | With hosts | Seconds | CPU seconds | Day |
|---|---|---|---|---|---|---|
"""


def write_sites(lines: list[str]) -> None:
    """Write the first table; the second stays."""
    _write(lines, host_lines())


def write_host_row(line: str) -> None:
    """Write a row of the second table in the place of an earlier one; rows that there are no more go."""
    by_row = {_row(entry): entry for entry in [*host_lines(), line]}
    _write(site_lines(), [by_row[row.name] for row in rows.rows() if row.name in by_row])


def site_lines() -> list[str]:
    """Rows of the first table."""
    return _table(0)


def host_lines() -> list[str]:
    """Rows of the second table."""
    return _table(1)


def _table(number: int) -> list[str]:
    part = FILE.read_text(encoding="utf-8").partition(HOSTS.strip().splitlines()[0])[2 * number]
    return [line for line in part.splitlines() if line.startswith("| ") and not line.startswith("| Server |")]


def _row(line: str) -> str:
    return "/".join(line.strip("| ").split(" | ")[:3])


def _write(sites: list[str], with_hosts: list[str]) -> None:
    FILE.write_text(SITES + "\n".join(sites) + "\n" + HOSTS + "\n".join(with_hosts) + "\n", encoding="utf-8")
