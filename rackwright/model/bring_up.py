"""How many machines `rackwright up` works on at the same time."""

from __future__ import annotations

from rackwright.model.base import Positive, Record


class BringUp(Record):
    """How many machines are brought up at the same time; what is left out is as ``rackwright/redfish/concurrency.yaml`` says, with its reason."""

    at_once: Positive | None = None
    """Machines of the site."""
    power_ons_per_rack: Positive | None = None
    """Machines of one rack that are powered on, or restarted, at the same time: what its circuits and breakers take of starting currents."""
    power_on_seconds: Positive | None = None
    """After a machine has started, until the next one of its rack follows."""
