"""Reads the output of `ibnetdiscover` about a live subnet.

Lines as ibnetdiscover writes them (infiniband-diags, ibnetdiscover.c): ``Switch 64 "S-<guid>" # "name" base port 0 ...``, then ``[port]
"H-<guid>"[port](guid) # "name" lid 5 4xNDR``.
"""

from __future__ import annotations

import re

import polars as pl

from rackwright.compare import switch_name

_HEAD = re.compile(r'^(Switch|Ca|Rt)\s+\d+\s+"([^"]+)"\s*#\s*"([^"]*)"')
_PORT = re.compile(
    r'^\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?\s+"([SHR]-[0-9a-f]+)"\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?'
    r'\s*#\s*(?:"([^"]*)")?.*?(\d+x[A-Z0-9]+)?\s*$'
)
SCHEMA = {"switch": pl.String, "port": pl.Int64, "peer": pl.String, "peer_port": pl.Int64, "speed": pl.String}


def read(text: str) -> pl.DataFrame:
    """The links that `text` shows; from both ends of a link, one row."""
    names, lines = _lines(text)
    rows = []
    for (node, port), (peer, peer_port, speed) in lines.items():
        if node.startswith("S-") and (not peer.startswith("S-") or (node, port) < (peer, peer_port)):
            rows.append((names.get(node, node), port, names.get(peer, peer), peer_port, speed))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").sort("switch", "port")


def _lines(text: str) -> tuple[dict[str, str], dict[tuple[str, int], tuple[str, int, str]]]:
    names: dict[str, str] = {}
    links: dict[tuple[str, int], tuple[str, int, str]] = {}
    node = ""
    for line in text.splitlines():
        if head := _HEAD.match(line):
            node = head[2]
            names[node] = switch_name(head[3]) if head[1] == "Switch" else head[3].strip()
        elif node and (port := _PORT.match(line)):
            peer = port[2]
            if port[4] is not None and peer not in names:
                names[peer] = switch_name(port[4]) if peer.startswith("S-") else port[4].strip()
            links[node, int(port[1])] = (peer, int(port[3]), port[5] or "")
    return names, links
