"""Text output of `rackwright onboard`: hosts, roles, waves, and why hosts are not as declared."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table

from rackwright.model.inventory import HostRecap, Recap

MANY = 48
"""With more hosts, only those that are not as declared get a line."""
COLORS = {"unchanged": "green", "changed": "yellow", "busy": "cyan"}


def as_dict(recap: Recap) -> dict[str, Any]:
    """The recap as plain data, with the `status` of every host."""
    data = recap.model_dump(mode="json")
    for name, host in recap.hosts.items():
        data["hosts"][name]["status"] = host.status
    return data


def show(recap: Recap, differences: list[tuple[str, list[str]]]) -> None:
    """Print the recap."""
    console = Console(highlight=False)
    for title, lines in differences:
        print(title, *lines, sep="\n")
    console.print(_hosts(recap))
    if len(recap.hosts) > MANY:
        counts = Counter(host.status for host in recap.hosts.values())
        console.print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    if len(recap.waves) > 1:
        console.print(_waves(recap))
    console.print(_roles(recap))
    for name, host in recap.hosts.items():
        if host.first_failure and (host.wave or not recap.stopped):
            console.print(f"{name}: {host.first_failure}", style="red", markup=False, soft_wrap=True)
    if recap.stopped:
        untouched = sum(1 for host in recap.hosts.values() if not host.wave)
        console.print(f"{untouched} hosts were not touched: {recap.stopped}", style="red", markup=False, soft_wrap=True)


def _hosts(recap: Recap) -> Table:
    table = Table("host", "result", "wave", box=None, header_style="bold")
    for column in ("ok", "changed", "failed", "plays"):
        table.add_column(column, justify="right")
    for name, host in recap.hosts.items():
        if len(recap.hosts) <= MANY or not host.good:
            counts = (str(count) for count in (host.ok, host.changed, host.failed, host.attempts))
            table.add_row(name, _result(host), host.wave, *counts)
    return table


def _waves(recap: Recap) -> Table:
    table = Table("wave", box=None, header_style="bold")
    for column in ("hosts", "failed", "seconds"):
        table.add_column(column, justify="right")
    for wave in recap.waves:
        table.add_row(wave.name, str(wave.hosts), str(wave.bad), f"{wave.seconds:.1f}")
    return table


def _roles(recap: Recap) -> Table:
    table = Table("role", box=None, header_style="bold")
    table.add_column("seconds", justify="right")
    for role, seconds in recap.task_seconds.items():
        table.add_row(role, f"{seconds:.1f}")
    table.add_row("all, with connections", f"{recap.seconds:.1f}")
    return table


def _result(host: HostRecap) -> str:
    return f"[{COLORS.get(host.status, 'red')}]{host.status}[/]"
