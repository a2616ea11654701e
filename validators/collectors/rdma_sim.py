"""Prints RDMA devices as the script of `rdma` does."""

from rackwright.model.evidence.network import Rdma, RdmaDevice

DEVICES = "/sys/class/infiniband"
STATES = {"NOP": 0, "DOWN": 1, "INIT": 2, "ARMED": 3, "ACTIVE": 4, "ACTIVE_DEFER": 5}
PHYSICAL = {
    "Sleep": 1,
    "Polling": 2,
    "Disabled": 3,
    "PortConfigurationTraining": 4,
    "LinkUp": 5,
    "LinkErrorRecovery": 6,
}
MTUS = {256: 1, 512: 2, 1024: 3, 2048: 4, 4096: 5}
FLAVOUR = {
    True: "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.173.02  Release Build",
    False: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.173.02  Wed Jul 15 12:11:05 UTC 2026",
}


def render(seen: Rdma) -> bytes:
    """The sections whose parse is `seen`."""
    sections = {
        "kernel": [seen.kernel],
        "modules": seen.modules,
        "driver": [] if seen.open_driver is None else [FLAVOUR[seen.open_driver]],
        "slots": [
            f"{name} /sys/devices/pci0000:15/0000:15:01.0/{one.pci_address}" for name, one in seen.devices.items()
        ],
        "attributes": [
            f"{DEVICES}/{name}/{path}:{value}"
            for name, one in seen.devices.items()
            for path, value in _attributes(one).items()
            if value
        ],
        "verbs": [line for name, one in seen.devices.items() if one.active_mtu for line in _verbs(name, one)],
    }
    return "".join(f"== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in sections.items()).encode()


def _attributes(one: RdmaDevice) -> dict[str, str]:
    return {
        "fw_ver": one.firmware,
        "board_id": one.board,
        "hca_type": one.model,
        "node_guid": one.node_guid,
        "device/numa_node": "-1" if one.numa_node is None else str(one.numa_node),
        "ports/1/link_layer": one.link_layer,
        "ports/1/state": f"{STATES.get(one.state, 0)}: {one.state}",
        "ports/1/phys_state": f"{PHYSICAL.get(one.physical_state, 0)}: {one.physical_state}",
        "ports/1/rate": one.rate,
        **{f"ports/1/pkeys/{row}": f"{key:#06x}" for row, key in enumerate(one.partition_keys)},
        **{f"ports/1/gids/{gid.index}": gid.address for gid in one.gids},
        **{f"ports/1/gid_attrs/types/{gid.index}": gid.kind for gid in one.gids},
        **{f"ports/1/counters/{name}": str(value) for name, value in one.counters.items()},
    }


def _verbs(name: str, one: RdmaDevice) -> list[str]:
    return [
        f"hca_id:\t{name}",
        "\ttransport:\t\t\tInfiniBand (0)",
        f"\tfw_ver:\t\t\t\t{one.firmware}",
        "\t\tport:\t1",
        "\t\t\tmax_mtu:\t\t4096 (5)",
        f"\t\t\tactive_mtu:\t\t{one.active_mtu} ({MTUS.get(one.active_mtu or 0, 0)})",
    ]
