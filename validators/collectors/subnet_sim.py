"""Prints subnets as the script of `subnet` does."""

from rackwright.base import content
from rackwright.model.evidence.fabric import FabricMap, Manager, Subnet, Subnets


def render(seen: Subnets) -> bytes:
    """The sections whose parse is `seen`."""
    return (
        "".join(_device(name, one) for name, one in seen.subnets.items()).encode()
        + "".join(f"== {name} managers\n{why}\n== {name} links\n" for name, why in seen.unread.items()).encode()
    )


def _device(name: str, one: Subnet) -> str:
    links = content.module("validators", "collectors", "fabric_sim").render(FabricMap(links=one.links)).decode()
    return f"== {name} managers\n{''.join(map(_manager, one.managers))}== {name} links\n{links}"


def _manager(one: Manager) -> str:
    return (
        "SMInfoRecord dump:\n\t\tRID\n\t\tLID...................1\n\t\tSMInfo dump:\n"
        f"\t\tGUID..................{one.guid}\n\t\tSM_Key................0x0000000000000000\n"
        f"\t\tActCount..............140\n\t\tPriority..............{one.priority}\n\t\tSMState...............{one.state}\n"
    )
