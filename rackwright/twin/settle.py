"""Waits until hosts that were booted with the files of an earlier run are as they were before: their clocks are set again.

In: running hosts, the state. Out: it returns when each clock follows its server, or after a limit: what is still wrong then
is for the checks to find. Cut here because only a resumed rehearsal boots hosts that nobody onboards afterwards.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from rackwright.twin.hosts import Hosts
from rackwright.twin.state import State

TRIES, EVERY_SECONDS = 60, 0.25
"""chrony needs four answers, two seconds apart (chrony.conf, iburst), before it sets a clock."""
AT_ONCE = 32


def clocks(state: State, hosts: Hosts) -> None:
    """Return when the clocks of `hosts` are set; those whose server is out of reach by a fault are not waited for."""
    wait = f"systemctl --quiet is-active chrony && chronyc waitsync {TRIES} 0 0 {EVERY_SECONDS}"
    nodes = [node for node in hosts.running() if not state.machines[node].ntp_unreachable]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda node: hosts.execute(node, ["sh", "-c", wait], check=False), nodes))
