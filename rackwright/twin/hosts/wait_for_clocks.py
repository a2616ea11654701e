"""Waits until the clocks of hosts that have just booted are set, with a small error bound, as on hosts that run for a while."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from rackwright.twin.hardware.state import State
from rackwright.twin.hosts.runner import Hosts

TRIES, EVERY_SECONDS = 240, 0.25
"""A minute: chrony needs four answers, two seconds apart (chrony.conf, iburst), before it sets a clock, and a machine may be busy."""
SURE_SECONDS = 0.05
"""Error bound of a clock (offset, dispersion and half of the round trip) that ends the wait; the limit is ``clock.error_seconds``."""
SURE_OFFSET = "{ a = $5 < 0 ? -$5 : $5; b = $6 < 0 ? -$6 : $6; o = a > b ? a : b"
"""Fields of ``chronyc -c tracking``: the remaining correction, and the offset at the last answer, which the checks read."""
AT_ONCE = 32
SURE = f"""\
systemctl --quiet is-active chrony || exit 0
left={TRIES}
until chronyc -c tracking | awk -F, '{SURE_OFFSET}; sure = NF == 14 && o + $12 + $11 / 2 < {SURE_SECONDS} }} END {{ exit !sure }}'; do
  left=$((left - 1)); [ $left -gt 0 ] || break; sleep {EVERY_SECONDS}
done
"""
"""A daemon without an answer so far reports one second of delay and one of dispersion (chronyc 4.3), which is above the bound."""


def wait(state: State, hosts: Hosts) -> None:
    """Return when the clocks of `hosts` are set; hosts whose time server a fault has cut off are skipped."""
    nodes = [node for node in hosts.running() if not state.machines[node].ntp_unreachable]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda node: hosts.execute(node, ["sh", "-c", SURE], check=False), nodes))
