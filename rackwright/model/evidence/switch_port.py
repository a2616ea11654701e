"""Error counters of the ports of InfiniBand switches (`ibqueryerrors`)."""

from __future__ import annotations

from rackwright.model.base import Record


class CountingPort(Record):
    """A port of a switch with a counter above zero."""

    guid: str
    """Of the switch."""
    switch: str
    """The name that the switch gives itself."""
    number: int
    counters: dict[str, int]
    """Those above 0, by the name that the tool has for them (``SymbolErrorCounter``), since they were last cleared."""


class SwitchPorts(Record):
    """The switches of the subnets that a machine for subnet managers has a port in."""

    ports: list[CountingPort]
    """Each once, whatever the number of own devices that show it."""
    checked: dict[str, int]
    """Own device (``mlx5_0``) -> how many ports of switches were read through it."""
    unread: dict[str, str]
    """Own devices through which not all could be read -> why."""
