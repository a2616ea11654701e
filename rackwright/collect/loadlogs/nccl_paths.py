"""Transports between ranks, as far as NCCL's debug lines prove them.

Only a line of the rank's own process counts for it. A network adapter is named by its number in the list ``NET/IB :
Using [0]mlx5_0:1/IB`` of the same host; multicast in the switch (NVLS) counts only if the rank supports it and the
tuner chose it. The ranks of a fleet print the same hundreds of texts after different process ids: each text is parsed
once and cached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from rackwright.model.evidence.collective import Transport

INFO = "CCL INFO "
PROCESS = re.compile(r"(\S+?):\d+:\d+ \[(\d+)\] [NR]")
"""The text before `INFO`: host, process, thread and device."""
CHANNEL = re.compile(r"Channel \d+/\d+ : (\d+)\[\w+\] -> (\d+)\[\w+\](?: \[(send|receive)\])? via (.+)$")
ADAPTERS = re.compile(r"\[(\d+)\]([\w.-]+):\d+/(IB|RoCE)")
MULTICAST = "NVLS multicast support is available on dev"
CHOSEN = re.compile(r"(\d+) Bytes -> Algo (\w+) proto (\w+)")
NETWORK = re.compile(r"NET/([^/]+)/(\d+)")
IB_LIKE = ("IB", "NCCL RDMA Plugin", "IBext")
NOWHERE: AbstractSet[Transport] = frozenset()
EFA_LIKE = ("AWS Libfabric", "OFI", "Libfabric")
REMEMBERED = 1024
"""Number of parsed texts, and of processes, that are cached; some hundreds of bytes each."""


Proof = tuple[tuple[Transport, ...], tuple[str, ...], bool | None]
"""For a rank: its transports, sorted, empty if nothing was proven; names of the network adapters that it uses, sorted;
whether all its network connections use GPUDirect RDMA, None without any.
"""


@dataclass(frozen=True, slots=True)
class Adapters:
    """Network adapters of a host: name and kind by number."""

    by_number: dict[int, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Multicast:
    """The device of this process can do NVLS."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Choice of the tuner for one size in bytes."""

    size: int
    algorithm: str
    protocol: str


@dataclass(frozen=True, slots=True)
class Channel:
    """One connection from `rank` to another one: over a network, or by the transport `local`."""

    rank: int
    peer: int
    local: Transport
    network: tuple[str, int, bool] | None
    """Plugin, number of the adapter, and whether it uses GPUDirect RDMA."""


class NcclPaths:
    """Collects the proven transports of `ranks` (number, host, device)."""

    def __init__(self, ranks: Iterable[tuple[int, str, int]]) -> None:
        self.algorithm = ""
        self.protocol = ""
        self._largest = -1
        self._hosts: dict[int, str] = {}
        self._places: dict[tuple[str, int], int] = {}
        for rank, host, device in ranks:
            self._hosts[rank] = host
            self._places[host, device] = rank
        self._names: dict[str, dict[int, tuple[str, str]]] = {}
        self._multicast: set[int] = set()
        self._local: dict[int, set[Transport]] = {}
        self._network: dict[int, list[tuple[str, int, bool]]] = {}

    def read(self, lines: Iterable[tuple[str, str]]) -> None:
        """Take the texts before and after `INFO` of every line of the log; lines that prove nothing are ignored."""
        for who, message in lines:
            if (proof := _proof(message)) is None or (process := _process(who)) is None:
                continue
            if isinstance(proof, Channel):
                self._connect(proof)
            else:
                self._take(process, proof)

    def _take(self, process: tuple[str, int], proof: Adapters | Multicast | Chosen) -> None:
        if isinstance(proof, Multicast):
            if process in self._places:
                self._multicast.add(self._places[process])
        elif isinstance(proof, Adapters):
            self._names.setdefault(process[0], {}).update(proof.by_number)
        elif proof.size >= self._largest:
            self._largest, self.algorithm, self.protocol = proof.size, proof.algorithm, proof.protocol

    def _connect(self, channel: Channel) -> None:
        rank = channel.rank
        if channel.network:
            self._network.setdefault(rank, []).append(channel.network)
        elif channel.local == "p2p" and self._hosts.get(rank) != self._hosts.get(channel.peer):
            self._local.setdefault(rank, set()).add("mnnvl")
        else:
            self._local.setdefault(rank, set()).add(channel.local)

    def proof(self, rank: int) -> Proof:
        """Transports, adapters and GPUDirect RDMA of `rank`."""
        transports = self._local.get(rank, NOWHERE)
        if rank in self._multicast and self.algorithm.startswith("NVLS"):
            transports = transports | {"nvls"}
        if rank not in self._network:
            return tuple(sorted(transports)), (), None
        network = self._network[rank]
        transports = transports | {self._kind(rank, plugin, number) for plugin, number, _ in network}
        names_by_index = self._names.get(self._hosts[rank], {})
        ib = {number for plugin, number, _ in network if plugin.startswith(IB_LIKE)}
        adapters = sorted(names_by_index[number][0] for number in ib if number in names_by_index)
        return tuple(sorted(transports)), tuple(adapters), all(direct for _, _, direct in network)

    def _kind(self, rank: int, plugin: str, number: int) -> Transport:
        if plugin.startswith("Socket"):
            return "socket"
        if plugin.startswith(EFA_LIKE):
            return "efa"
        if plugin.startswith(IB_LIKE):
            kind = self._names.get(self._hosts[rank], {}).get(number, ("", ""))[1]
            return {"IB": "infiniband", "RoCE": "roce"}.get(kind, "other")  # type: ignore[return-value]
        return "other"


@lru_cache(maxsize=REMEMBERED)
def _process(who: str) -> tuple[str, int] | None:
    """Host and device of the process that printed a line."""
    match = PROCESS.fullmatch(who.strip())
    return (match[1], int(match[2])) if match else None


@lru_cache(maxsize=REMEMBERED)
def _proof(message: str) -> Adapters | Multicast | Chosen | Channel | None:
    """The fact that a text of the library proves; None for most texts."""
    if "NET/IB : Using" in message:
        return Adapters({int(number): (name, kind) for number, name, kind in ADAPTERS.findall(message)})
    if MULTICAST in message:
        return Multicast()
    if " Bytes -> Algo " in message and (chosen := CHOSEN.search(message)):
        return Chosen(int(chosen[1]), chosen[2].upper(), chosen[3].upper())
    if "Channel " in message and (channel := CHANNEL.search(message)):
        return _channel(int(channel[1]), int(channel[2]), channel[3] or "send", channel[4])
    return None


def _channel(source: int, target: int, side: str, via: str) -> Channel:
    rank, peer = (target, source) if side == "receive" else (source, target)
    if via.startswith("P2P"):
        return Channel(rank, peer, "p2p", None)
    if via.startswith("SHM"):
        return Channel(rank, peer, "shm", None)
    if network := NETWORK.match(via):
        return Channel(rank, peer, "other", (network[1], int(network[2]), "/GDRDMA" in via))
    return Channel(rank, peer, "other", None)
