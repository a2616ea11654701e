"""Names of everything in a design but nodes (`Pool.node_name`). A name depends on the object's own number alone, so that growth renames nothing."""

from __future__ import annotations

VIRTUAL_INTERFACE = "vlan1"
"""Interface that carries the address of a management switch, which has no cable to its own management port."""
PLANT_INTERFACE = "mgmt0"
"""Interface of a CDU or a rack PDU."""
BOND = "bond0"
"""Interface that joins several in-band ports."""


def control(role: str, index: int) -> str:
    """``slurm-01``: control server `index` (from 1) of a role."""
    return f"{role}-{index:02d}"


def switch(fabric: str, tier: str, index: int, plane: int = -1, rail: int = -1) -> str:
    """``compute-leaf-01``: switch `index` (from 1) of a tier; ``compute-p1-leaf-01`` in plane 0 of several, ``-r1`` of a rail."""
    word = "switch" if tier == "management" else tier
    return (
        "-".join([fabric, *([f"p{plane + 1}"] if plane >= 0 else []), *([f"r{rail + 1}"] if rail >= 0 else []), word])
        + f"-{index:02d}"
    )


def rack(group: str, index: int) -> str:
    """``train-r01``: rack `index` (from 1) of a pool, ``fabric`` (switches of units) or ``site`` (everything shared)."""
    return f"{group}-r{index:02d}"


def cable(device: str, port: str) -> str:
    """``train-001:mlx5_0``: a cable is named after its end nearer to the node."""
    return f"{device}:{port}"


def circuit(rack_name: str, feed: str, index: int) -> str:
    """``train-r01-A1``: circuit `index` (from 1) of a feed in a rack."""
    return f"{rack_name}-{feed}{index}"
