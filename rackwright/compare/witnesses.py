"""Matches adapters of the host with those of its BMC: by serial number, by slot, by the digits that a GUID and a MAC
address share.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from rackwright.model.evidence.adapter_witnesses import AdapterWitnesses, BmcCard, HostCard

C = TypeVar("C", HostCard, BmcCard)
NUMBER = re.compile(r"\d+")
HALF = 6
"""Hex digits at either end of a GUID that are those of the MAC address of its port (EUI-64, as NVIDIA numbers its
adapters).
"""


class AdapterMatch(NamedTuple):
    """An adapter of the host and the same adapter of the BMC, and the key by which they were matched."""

    host: HostCard
    bmc: BmcCard
    by: str


def matches(record: AdapterWitnesses) -> list[AdapterMatch]:
    """Every adapter that can be matched, once; the most reliable key is tried first."""
    host, bmc = list(record.host), list(record.bmc)
    pairs: list[AdapterMatch] = []
    for by, key in (("serial number", _number), ("slot", _slot), ("MAC address", _digits)):
        new = [*_matched(host, bmc, key, by)]
        host = _others(host, [pair.host for pair in new])
        bmc = _others(bmc, [pair.bmc for pair in new])
        pairs += new
    return pairs


def _others(cards: list[C], matched: list[C]) -> list[C]:
    """`cards` without those objects, compared by identity: comparing the fields of all cards takes half of the time of
    matching them.
    """
    places = {id(card) for card in matched}
    return [card for card in cards if id(card) not in places]


def _matched(
    host: list[HostCard], bmc: list[BmcCard], key: Callable[[HostCard | BmcCard], frozenset[str]], by: str
) -> Iterator[AdapterMatch]:
    """Pairs that share a key which no other adapter of either side has."""
    ours = [(card, own_key) for card in host if (own_key := key(card))]
    theirs = [(card, own_key) for card in bmc if (own_key := key(card))]
    for card, own_key in ours:
        alike = [(peer, peer_key) for peer, peer_key in theirs if own_key & peer_key]
        if len(alike) == 1 and sum(1 for _, peer_key in ours if peer_key & alike[0][1]) == 1:
            yield AdapterMatch(card, alike[0][0], by)


def _number(card: HostCard | BmcCard) -> frozenset[str]:
    return frozenset({card.number} - {""})


def _slot(card: HostCard | BmcCard) -> frozenset[str]:
    """The last number of its label: ``PCIe 15`` (Lenovo), ``RISER 1 slot 2 (12)`` (Supermicro)."""
    return frozenset(NUMBER.findall(card.slot)[-1:])


def _digits(card: HostCard | BmcCard) -> frozenset[str]:
    if isinstance(card, HostCard):
        guids = [guid.removeprefix("0x") for guid in card.ports.values() if guid]
        return frozenset(guid[:HALF] + guid[-HALF:] for guid in guids)
    return frozenset(mac.replace(":", "") for mac in card.macs)
