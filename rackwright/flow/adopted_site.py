"""The site file of adopted pools: sized for as many nodes, with readings in place of the assumptions of sizing, and
validated.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rackwright import catalog, design, spec
from rackwright.adopt import DraftPool, PoolBill
from rackwright.adopt.majority import usual
from rackwright.adopt.node_texts import HOST_NAME, fits
from rackwright.base.errors import Problem, ProblemsError
from rackwright.design.sizing.fit import Sized
from rackwright.design.sizing.text import data_text
from rackwright.flow import adopted_software, unanswerable
from rackwright.flow.adopted_addresses import answered_at, at_addresses, node_names, with_hosts
from rackwright.flow.adopted_comments import ASSUMED, Unseen, file_comments, unseen
from rackwright.flow.adopted_sizing import join_sized, size_pools
from rackwright.flow.adopted_software import PoolSoftware
from rackwright.model.design import Design
from rackwright.model.evidence.host import ClockSources
from rackwright.spec import LoadedSite

ROUNDS = 24
"""Limit on changes to the bill: more than it has fields with rules."""
HEAD = (
    "READ is what the nodes reported. ASSUMED is what nodes cannot report, filled as `rackwright size` plans it for so many nodes: "
    "replace it by what you have."
)
DRAFT = "the draft"
"""Place in problems of a draft that is not written."""
Data = dict[str, Any]


@dataclass(frozen=True)
class AdoptRequest:
    """Input of the owner."""

    site: str
    date: str
    """ISO date of today."""
    command: str
    """The command line, for the head of the file."""
    ssh: Mapping[str, str]
    """Fields of ``control.ssh`` that differ from the defaults."""


@dataclass(frozen=True)
class AdoptedSite:
    """A drafted site file that `check` accepts."""

    text: str
    design: Design
    names: Mapping[str, str]
    """Host -> its name in the design."""
    addresses: Mapping[str, str]
    """Host -> its in-band address in the design."""
    software: Mapping[str, Mapping[str, str]]
    """Versions by pool."""
    unseen: Sequence[Unseen]
    notes: Sequence[str]
    left_out: Mapping[str, str]
    """Pool that the file omits -> the reason."""
    problems: Sequence[Problem]
    """Problems that `check` finds in the draft, because roles would refuse the running nodes or no check could judge
    them; empty for nearly every cluster.
    """


def draft_site_file(pools: Sequence[DraftPool], bills: Mapping[str, PoolBill], request: AdoptRequest) -> AdoptedSite:
    """The site of `pools`. Raises ProblemsError if not even the first pool can be sized."""
    parts = [part.part for pool in pools for part in pool.new_parts]
    parts_catalog = catalog.load(parts)
    sized, left_out = size_pools(pools, request.site, parts_catalog)
    joined, apart = join_sized(sized, pools, parts_catalog)
    left_out |= apart
    pools = [pool for pool in pools if pool.name not in left_out]
    software = {
        pool.name: PoolSoftware.of(bills[pool.name], _reference(sized[pool.name]), parts_catalog.accelerators[pool.accelerator])
        for pool in pools
    }  # fmt: skip
    data = _with_read(joined.data, pools, request)
    expanded, refused = _settled_versions(data, software)
    placed, expanded = _in_place(data, expanded, pools)
    if placed is not data:
        data, refused = placed, _refused(expanded)
    names = node_names(expanded, pools)
    addresses = {host: expanded.node(name).inband_address for host, name in names.items()}
    notes = _notes(pools, names, addresses, bills)
    header = _header(request, pools, [*notes, *joined.notes])
    comments = file_comments(joined.comments, header, pools, software, ntp=bool(_time_servers(pools)))
    comments["fabrics.inband"] = _inband(names, addresses, answered_at(pools))
    text = data_text(data, comments)
    _load(text)
    listed = unseen(pools, software, ntp=bool(_time_servers(pools)))
    versions = {name: adopted_software.versions(pool) for name, pool in software.items()}
    refused = [*refused, *(replace(problem, place=DRAFT) for problem in unanswerable.problems(expanded))]
    return AdoptedSite(text, expanded, names, addresses, versions, listed, notes, left_out, refused)


def _reference(sized: Sized) -> Data:
    return {name: version for name, version in sized.data["software"].items() if name != "apt_mirror"}


def _with_read(data: Data, pools: Sequence[DraftPool], request: AdoptRequest) -> Data:
    """The sized data with SSH account, time servers and new parts."""
    data = deepcopy(data)
    if request.ssh:
        data["control"]["ssh"] = dict(request.ssh)
    if servers := _time_servers(pools):
        data["control"]["ntp_servers"] = servers
    if parts := [part.part for pool in pools for part in pool.new_parts]:
        data["catalog"] = parts
    return data


def _time_servers(pools: Sequence[DraftPool]) -> list[str]:
    """The time sources that most nodes have, without texts that cannot be the name of a server."""
    sources = [
        tuple(sorted(source.name for source in read.sources))
        for pool in pools
        for reading in pool.readings
        if (read := reading.get(ClockSources)) and read.sources
    ]
    return [name for name in usual(sources) or () if fits(name, HOST_NAME)]


def _in_place(data: Data, expanded: Design, pools: Sequence[DraftPool]) -> tuple[Data, Design]:
    """`data` and its design with the addresses and names that the nodes have; no version depends on these."""
    moved = at_addresses(data, expanded, pools)
    if moved is not None:
        data, expanded = moved, _expanded(moved)
    hosted = with_hosts(data, expanded, pools)
    if hosted is not None:
        with suppress(ProblemsError):  # two machines would have the same name: the notes list the differences
            data, expanded = hosted, _expanded(hosted)
    return data, expanded


def _expanded(data: Data) -> Design:
    """The design of a draft. Raises ProblemsError for an invalid site."""
    try:
        loaded = _load(data_text(data, {}))
        return design.expand(loaded.site, loaded.catalog)
    except ProblemsError as error:
        raise ProblemsError(replace(problem, place=DRAFT) for problem in error.problems) from error


def _settled_versions(data: Data, software: Mapping[str, PoolSoftware]) -> tuple[Design, list[Problem]]:
    """The design of `data`, with versions changed in `software` until `check` refuses none, and problems that the roles
    still report.

    Raises ProblemsError for an invalid site.
    """
    mirror = data["software"]["apt_mirror"]
    for _ in range(ROUNDS):
        data["software"] = adopted_software.software_data(mirror, software)
        try:
            loaded = _load(data_text(data, {}))
        except ProblemsError as error:
            if not adopted_software.mend(software, _of_software(error.problems)):
                raise ProblemsError(replace(problem, place=DRAFT) for problem in error.problems) from error
            continue
        expanded = design.expand(loaded.site, loaded.catalog)
        refused = _refused(expanded)
        if not adopted_software.mend(software, _of_software(refused)):
            return expanded, refused
    raise AssertionError("the bill changes without end")


def _refused(expanded: Design) -> list[Problem]:
    """Problems of the draft that the roles would report."""
    from rackwright.onboard import role_refusals  # Ansible takes half a second

    return [replace(problem, place=DRAFT) for problem in role_refusals.problems(expanded)]


def _of_software(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.path.startswith(adopted_software.PLACE)]


def _load(text: str) -> LoadedSite:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "site.yaml"
        file.write_text(text, encoding="utf-8")
        return spec.load(file)


def _notes(
    pools: Sequence[DraftPool], names: Mapping[str, str], addresses: Mapping[str, str], bills: Mapping[str, PoolBill]
) -> list[str]:
    """One sentence for each fact that the draft cannot express."""
    observed = answered_at(pools)
    notes = [sentence for pool in pools for sentence in bills[pool.name].unfit]
    renamed = [host for host, name in names.items() if host.partition(".")[0] != name]
    if renamed:
        notes.append(
            f"The design names nodes by pool and number: {renamed[0]} is {names[renamed[0]]}"
            f"{f', and so on for {len(renamed)} hosts' if len(renamed) > 1 else ''}."
        )
    elsewhere = [host for host, address in observed.items() if addresses[host] != address]
    if elsewhere:
        host = elsewhere[0]
        notes.append(
            f"{len(elsewhere)} hosts do not answer at the address that the design gives them ({host}: {observed[host]}, "
            f"in the design {addresses[host]}): no subnet puts all of them where they are, and collect and onboard would not reach them."
        )
    return notes


def _inband(names: Mapping[str, str], addresses: Mapping[str, str], observed: Mapping[str, str]) -> str:
    """The comment on the in-band network."""
    if observed and all(addresses[host] == address for host, address in observed.items()):
        origin = f"READ: nodes have their own addresses in it, or in its routed_subnets ({min(names)} is {addresses[min(names)]}). ASSUMED: their sizes"
    else:
        origin = f"{ASSUMED}the subnet, which is not that of the nodes"
    return f"{origin}; the first 15 addresses are kept, .2 serves time and packages. Every pool and control server is on it."


def _header(request: AdoptRequest, pools: Sequence[DraftPool], notes: Sequence[str]) -> list[str]:
    count = sum(len(pool.readings) for pool in pools)
    nodes = f"{count} running node{'s' if count != 1 else ''}"
    return [
        f"{request.site}: drafted from {nodes} on {request.date} by `{request.command}`.",
        HEAD,
        *notes,
    ]
