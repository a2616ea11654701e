"""Every subnet has one master subnet manager on a planned machine, and a standby where two machines are planned."""

from rackwright import compare
from rackwright.compare import network, subnets
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.fabric import Subnet, Subnets
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Subnets) -> Finding:
    """Compare the managers of each subnet, by the switch port of their machine, with the planned machines."""
    fabrics = {link.port: link.fabric for link in compare.subnet_links(expectation)}
    readings: dict[str, str | None] = {f"subnet of {port} ({why})": None for port, why in record.unread.items()}
    for port, subnet in record.subnets.items():
        if port in fabrics:
            readings[f"subnet {fabrics[port]}, by {port}"] = state_of(expectation, fabrics[port], subnet)
    read = {port for port in fabrics if port in record.subnets or port in record.unread}
    readings |= dict.fromkeys(sorted(set(fabrics) - read))
    return compare.every(
        expectation,
        readings,
        lambda state: state == GOOD,
        what="subnet managers:",
        expected="one master and a standby, on the machines of the site for them",
        source="site, control.ufm; design, their cables",
    )


GOOD = "as planned"


def state_of(expectation: Expectation, fabric: str, subnet: Subnet) -> str:
    """Defects of the managers of one subnet in words, or `GOOD`."""
    ours = expectation.wiring.managers.get(fabric, ())
    masters = [name for name, state in states(expectation, subnet) if state == "master"]
    standbys = [name for name, state in states(expectation, subnet) if state == "standby"]
    wrong = [] if len(masters) == 1 else [f"{len(masters)} masters"]
    wrong += [f"{name} is {state} and not for it" for name, state in states(expectation, subnet) if name not in ours]
    if len(ours) > 1 and not set(standbys) & set(ours):
        wrong.append(f"no standby on {' or '.join(name for name in ours if name not in masters)}")
    return "; ".join(wrong) or GOOD


def states(expectation: Expectation, subnet: Subnet) -> list[tuple[str, str]]:
    """Each manager's machine (or the GUID of an unknown one) with its state."""
    links = subnets.known_as(subnet, [manager.guid for manager in subnet.managers])
    machines = {link.guid: network.machine_behind(expectation, link) for link in links}
    return [
        (machines.get(manager.guid, manager.guid), network.MANAGER_STATES.get(manager.state, "unknown"))
        for manager in subnet.managers
    ]


CHECK = Check(reads=Subnets, judge=judge, applies=network.manages_subnets)
