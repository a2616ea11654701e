"""What NCCL's debug lines prove of the way that each rank takes to others. In: lines, one by one. Out: transports by rank.

Only a line of the rank's own process counts for it. A network adapter is named by its number in the list ``NET/IB : Using [0]mlx5_0:1/IB``
of the same host; multicast in the switch (NVLS) counts only where the rank can do it and the tuner chose it.
"""

from __future__ import annotations

import re
from collections import defaultdict

from rackwright.model.evidence.collective import Transport

INFO = re.compile(r"^(\S+?):\d+:\d+ \[(\d+)\] [NR]CCL INFO (.*)$")
CHANNEL = re.compile(r"Channel \d+/\d+ : (\d+)\[\w+\] -> (\d+)\[\w+\](?: \[(send|receive)\])? via (.+)$")
ADAPTERS = re.compile(r"\[(\d+)\]([\w.-]+):\d+/(IB|RoCE)")
MULTICAST = "NVLS multicast support is available on dev"
CHOSEN = re.compile(r"(\d+) Bytes -> Algo (\w+) proto (\w+)")
NETWORK = re.compile(r"NET/([^/]+)/(\d+)")
IB_LIKE = ("IB", "NCCL RDMA Plugin", "IBext")
EFA_LIKE = ("AWS Libfabric", "OFI", "Libfabric")


class Paths:
    """Collects proof while a log is read."""

    def __init__(self, ranks: list[tuple[int, str, int]]) -> None:
        self.algorithm = ""
        self.protocol = ""
        self._largest = -1
        self._hosts = {rank: host for rank, host, _ in ranks}
        self._places = {(host, device): rank for rank, host, device in ranks}
        self._names: dict[str, dict[int, tuple[str, str]]] = defaultdict(dict)
        self._multicast: set[int] = set()
        self._local: dict[int, set[Transport]] = defaultdict(set)
        self._network: dict[int, list[tuple[str, int, bool]]] = defaultdict(list)

    def read(self, line: str) -> None:
        """Take one line of the log; lines that prove nothing are passed over."""
        match = INFO.match(line.strip()) if "CCL INFO " in line else None
        if match is None:
            return
        host, device, said = match[1], int(match[2]), match[3]
        if "NET/IB : Using" in said:
            self._names[host] |= {int(number): (name, kind) for number, name, kind in ADAPTERS.findall(said)}
        elif MULTICAST in said:
            self._multicast |= {rank for place, rank in self._places.items() if place == (host, device)}
        elif " Bytes -> Algo " in said and (chosen := CHOSEN.search(said)):
            self._choose(int(chosen[1]), chosen[2].upper(), chosen[3].upper())
        elif "Channel " in said and (channel := CHANNEL.search(said)):
            self._connect(int(channel[1]), int(channel[2]), channel[3] or "send", channel[4])

    def _choose(self, size: int, algorithm: str, protocol: str) -> None:
        if size >= self._largest:
            self._largest, self.algorithm, self.protocol = size, algorithm, protocol

    def _connect(self, source: int, target: int, side: str, via: str) -> None:
        rank, other = (target, source) if side == "receive" else (source, target)
        if via.startswith("P2P"):
            self._local[rank].add("p2p" if self._hosts.get(rank) == self._hosts.get(other) else "mnnvl")
        elif via.startswith("SHM"):
            self._local[rank].add("shm")
        elif network := NETWORK.match(via):
            self._network[rank].append((network[1], int(network[2]), "/GDRDMA" in via))
        else:
            self._local[rank].add("other")

    def transports(self, rank: int) -> list[Transport]:
        """How `rank` reaches others, sorted; empty when nothing was proven."""
        found = set(self._local[rank])
        if rank in self._multicast and self.algorithm.startswith("NVLS"):
            found.add("nvls")
        return sorted(found | {self._kind(rank, plugin, number) for plugin, number, _ in self._network[rank]})

    def adapters(self, rank: int) -> list[str]:
        """Names of the network adapters that `rank` uses, sorted."""
        known = self._names[self._hosts[rank]]
        ib = {number for plugin, number, _ in self._network[rank] if plugin.startswith(IB_LIKE)}
        return sorted(known[number][0] for number in ib if number in known)

    def gpudirect(self, rank: int) -> bool | None:
        """Whether all network connections of `rank` go straight to accelerator memory; None without any."""
        direct = [direct for _, _, direct in self._network[rank]]
        return all(direct) if direct else None

    def _kind(self, rank: int, plugin: str, number: int) -> Transport:
        if plugin.startswith("Socket"):
            return "socket"
        if plugin.startswith(EFA_LIKE):
            return "efa"
        if plugin.startswith(IB_LIKE):
            kind = self._names[self._hosts[rank]].get(number, ("", ""))[1]
            return {"IB": "infiniband", "RoCE": "roce"}.get(kind, "other")  # type: ignore[return-value]
        return "other"
