"""Transport of the ranks of an HCCL collective inside a node: bytes sent by the network port of each NPU, and the rate
of its HCCS links.

Shapes: ``hccn_tool -i N -stat -g`` before and after (``mac_tx_total_oct_num:123``, DSMI's own name), and ``npu-smi info
-t hccs-bw -i N -c 0 -time 1000`` while the test runs, a table that ends with ``total`` (columns tx_bandwidth(GB/S),
rx_bandwidth(GB/S); printf_hccs_bandwidth_info of npu-smi; read 2026-11-22). The transport is the one that carried most
of the bytes; if neither did, it is another one (PCIe, host memory); if a counter is missing, nothing is proven.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rackwright.model.evidence.collective import CollectiveRow, Transport

PORT = re.compile(r"^# port (before|after) (\d+)$")
LINKS = re.compile(r"^# hccs (\d+)$")
SENT = re.compile(r"^\s*mac_tx_total_oct_num\s*:\s*(\d+)\s*$")
TOTAL = re.compile(r"^\s*total\s+([\d.]+)\s+([\d.]+)\s*$")


def transport_by_rank(
    lines: Sequence[str], rows: Sequence[CollectiveRow], iterations: int | None, factor: float
) -> dict[int, Transport]:
    """Transport by rank; ranks with too few counters are omitted."""
    ports, links = _read(lines)
    if iterations is None or not rows:
        return {}
    moved = sum(row.bytes for row in rows) * factor * iterations
    rate = max(rows, key=lambda row: row.bytes).busbw_gbytes_per_s
    transports: dict[int, Transport] = {}
    for rank, counted in ports.items():
        sent = counted.get("after", -1) - counted.get("before", 0)
        if sent < 0:
            continue
        if 2 * sent > moved:
            transports[rank] = "roce"
        elif rank in links:
            transports[rank] = "p2p" if 2 * links[rank] > rate else "other"
    return transports


def _read(lines: Sequence[str]) -> tuple[dict[int, dict[str, int]], dict[int, float]]:
    """Bytes sent before and after, by rank; the highest total rate of all links, by rank."""
    ports: dict[int, dict[str, int]] = {}
    links: dict[int, float] = {}
    when, port, link = "", -1, -1
    for line in lines:
        if head := PORT.match(line):
            when, port, link = head[1], int(head[2]), -1
        elif head := LINKS.match(line):
            when, link = "", int(head[1])
        elif (sent := SENT.match(line)) and when:
            ports.setdefault(port, {})[when] = int(sent[1])
        elif (sent := TOTAL.match(line)) and link >= 0:
            links[link] = max(float(sent[1]), links.get(link, 0.0))
    return ports, links
