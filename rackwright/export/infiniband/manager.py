"""Configuration of opensm, one folder per subnet: routing engine by topology, roots, partitions and names.

Root switches are named by their GUIDs, so the list is used once all of them have one; until then the engines look for roots
themselves, and the file says so. Options: opensm(8) 3.3.23, and the file that ``opensm --create-config`` writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import subnet_routing
from rackwright.export import export_request
from rackwright.export.export_request import UNKNOWN, ExportRequest, Guids
from rackwright.export.file import ExportFile
from rackwright.export.infiniband import partitions, plan
from rackwright.export.infiniband.subnets import SubnetPlan, subnets
from rackwright.locality.tiers import devices
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric

FOLDER = "/etc/opensm"
"""Where the folders are put on the host of the subnet manager."""
FAT_TREE = "ftree"
TOP_FIRST = ("core", "spine")


def export(design: Design, request: ExportRequest) -> list[ExportFile]:
    """The files of every subnet of the InfiniBand fabrics. Raises `ProblemsError` for a topology without a routing engine."""
    fabrics = export_request.infiniband(design, request)
    problems = [_unrouted(fabric) for fabric in fabrics if fabric.topology not in subnet_routing.load().engines]
    if problems:
        raise ProblemsError(problems)
    return [
        file
        for fabric in fabrics
        for subnet in subnets(design, fabric.name)
        for file in _files(design, fabric, subnet, request.guids)
    ]


def _files(design: Design, fabric: Fabric, subnet: SubnetPlan, guids: Guids) -> Iterator[ExportFile]:
    rows = partitions.keyed(design, fabric.name)
    tier = dict(devices(design).select("device", "tier").iter_rows())
    ranks = len({tier[device] for device in subnet.switches["device"]})
    roots = _roots(subnet, tier)
    root_guids = [guid for root in roots if (guid := guids.get((root, ""), UNKNOWN).node)]
    complete = bool(roots) and len(root_guids) == len(roots)
    names = plan.node_names(subnet, guids)
    yield ExportFile(f"{subnet.name}/opensm.conf", tuple(_options(fabric, subnet, guids, ranks, complete=complete)), 1)
    yield ExportFile(
        f"{subnet.name}/partitions.conf", tuple(partitions.lines(design, subnet, rows, guids)), len(rows) + 1
    )
    yield ExportFile(f"{subnet.name}/root-guids.conf", tuple(_root_lines(roots, guids)), len(roots))
    yield ExportFile(f"{subnet.name}/node-name-map", names.parts, names.rows)


def _options(fabric: Fabric, subnet: SubnetPlan, guids: Guids, ranks: int, *, complete: bool) -> Iterator[str]:
    routing = subnet_routing.load()
    engines = [name for name in routing.engines[fabric.topology] if name != FAT_TREE or _is_ranked(ranks)]
    folder = f"{FOLDER}/{subnet.name}"
    manager = next(subnet.adapters.select("device", "port").iter_rows(), None)
    port = guids.get(manager, UNKNOWN).port if manager else ""
    yield f"# opensm of subnet {subnet.name}, written by rackwright export. Change the site, not this file.\n"
    yield f"# opensm --config {folder}/opensm.conf\n"
    yield (
        f"guid {port}\n"
        if port
        else "# guid: port GUID of the manager's adapter, not known yet; opensm takes the first active port\n"
    )
    yield f"routing_engine {','.join(engines)}\n"
    if set(engines) & set(routing.rooted):
        text = f"root_guid_file {folder}/root-guids.conf\n"
        yield text if complete else f"# Not all roots have GUIDs yet: the engines find them themselves.\n# {text}"
    yield f"partition_config_file {folder}/partitions.conf\n"
    yield f"node_name_map_name {folder}/node-name-map\n"
    yield f"log_file /var/log/opensm-{subnet.name}.log\n"


def _is_ranked(ranks: int) -> bool:
    limits = subnet_routing.load().fat_tree_ranks
    return limits.least <= ranks <= limits.most


def _roots(subnet: SubnetPlan, tier: Mapping[str, str]) -> list[str]:
    """The switches of the highest tier; none where there is one tier."""
    switches = subnet.switches["device"].to_list()
    highest = next((name for name in TOP_FIRST if any(tier[device] == name for device in switches)), None)
    return [device for device in switches if tier[device] == highest]


def _root_lines(roots: list[str], guids: Guids) -> Iterator[str]:
    for root in roots:
        guid = guids.get((root, ""), UNKNOWN).node
        yield f"{guid} # {root}\n" if guid else f"# {root}: no GUID yet\n"


def _unrouted(fabric: Fabric) -> Problem:
    engines = sorted(subnet_routing.load().engines)
    step = "export another fabric with --fabric, or configure opensm by hand"
    return Problem(
        "export to opensm",
        fabric.name,
        "no routing engine for this topology",
        ", ".join(engines),
        fabric.topology,
        step,
        "export.opensm_topology",
    )
