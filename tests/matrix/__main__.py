"""Writes `validators/MATRIX.md`: ``python -m tests.matrix``; with ``--hosts WHICH`` plays rows with hosts, and writes how they ended."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.matrix import hosts, published, rows, walk


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print and write; 1 when a row with hosts was not accepted."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix")
    parser.add_argument("--hosts", type=rows.select, metavar="all|rotation[:N]|SERVER[/SCHEDULER[/SYSTEM]],...")
    chosen = parser.parse_args(argv).hosts
    if chosen is None:
        published.write_sites(_sites())
        return 0
    walks = [_with_hosts(row) for row in chosen]
    return 0 if all(walk.accepted for walk in walks) else 1


def _sites() -> list[str]:
    lines = []
    for server, scheduler, fabric in walk.sites():
        with tempfile.TemporaryDirectory() as folder:
            lines.append(walk.walk(server, scheduler, Path(folder), fabric).line)
        print(lines[-1], flush=True)
    return lines


def _with_hosts(row: rows.Row) -> hosts.HostWalk:
    with tempfile.TemporaryDirectory() as folder:
        ended = hosts.play(row, Path(folder))
    line = f"{ended.line} {datetime.now(UTC).date()} |"
    print(line, flush=True)
    published.write_host_row(line)
    return ended


if __name__ == "__main__":
    raise SystemExit(main())
