"""Healthy marks of RoCE, as a node of the example site would have them if its compute fabric were RoCE."""

from __future__ import annotations

from typing import Any

from rackwright.model.evidence.roce import Roce, RocePort

RAILS = (0, 3, 4, 5, 6, 9, 10, 11)


def roce(**change: Any) -> Roce:
    marks = {"notifies": [3], "reacts": [3], "traffic_class": 106, "priorities": {26: 3}}
    ports = {f"mlx5_{rail}": RocePort(interface=f"eth{rail}", **marks) for rail in RAILS}
    return Roce(**({"ports": ports} | change))


SEEN = {Roce: roce}
