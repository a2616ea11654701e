"""Writes `validators/MATRIX.md`: ``python -m tests.matrix``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.matrix import walk

HEAD = """# Servers, schedulers and the gate

Every server of the catalog with accelerators, sized by `rackwright size` for each scheduler and played without hosts on the twin: whether
the last gate accepts the nodes of a healthy site, and whether it refuses exactly the node that a fault of each kind hits (`!` where
it does not). Where nobody has published limits, the site calibrates them first (`acceptance.calibrations`): the checks that need it are
named. The last rows play every other fabric of `rackwright size`. Written by `make matrix`; a test plays every row.

| Server | Scheduler | Fabric | Healthy | Device fault | Link fault | Software fault |
|---|---|---|---|---|---|---|
"""


def main() -> None:
    """Play every row, print it, and write the table."""
    lines = []
    for server, scheduler, fabric in walk.rows():
        with tempfile.TemporaryDirectory() as folder:
            lines.append(walk.walk(server, scheduler, Path(folder), fabric).line)
        print(lines[-1], flush=True)
    walk.PUBLISHED.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
