"""Readings of the BMC of one machine of the twin."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.design import Node

SUPPLY_CELSIUS = 24.0
"""Air at the intake of a healthy machine: that of the example's hall."""
FANS = 10
FAN_RPM = 8_400.0
IDLE_SHARE = 0.25
"""Draw of a machine without a job, as a share of its peak. Derived 2026-11-21: 2.4 of 10.2 kW for a DGX H100."""


@dataclass(frozen=True)
class LogLine:
    """One entry of the event log."""

    severity: str
    message: str
    created: str = "2026-11-20T03:14:15+00:00"
    resolved: bool = False


@dataclass(frozen=True)
class ChassisReadings:
    """Readings that a fault changes; the defaults are those of a healthy machine."""

    inlet_celsius: float = SUPPLY_CELSIUS
    cpu_celsius: float = 48.0
    fans: tuple[float, ...] = (FAN_RPM,) * FANS
    """Speed of each fan in revolutions per minute."""
    unhealthy_sensors: tuple[str, ...] = ()
    """Sensors that report themselves critical, by name."""
    log: tuple[LogLine, ...] = (LogLine("OK", "System boot completed."),)
    leaking: tuple[int, ...] = ()
    """Leak detectors that are wet, by number."""
    detectors: int = 0
    """Leak detectors: only liquid-cooled machines have any."""
    power_watts: float = 2_550.0
    power_limit_watts: float | None = None
    lost_inputs: tuple[int, ...] = ()
    """Power supplies whose cord is dead, by number."""
    redundancy: str = "OK"
    gpus_unlisted: tuple[int, ...] = ()
    """Accelerators that the BMC does not list any more, by index."""
    clock_offset_seconds: float = 0.0
    """How far the clock of the BMC is ahead."""
    nics_unlisted: tuple[str, ...] = ()
    nics_exchanged: tuple[str, ...] = ()
    """Adapters, by their first port, of which the BMC still lists those that were there before."""
    cpus_listed: int | None = None
    """None: all."""
    memory_gib_listed: int | None = None


def healthy(node: Node) -> ChassisReadings:
    """The chassis of `node` as it was ordered."""
    return ChassisReadings(
        detectors=2 if node.server.liquid else 0, power_watts=float(round(node.server.peak_watts * IDLE_SHARE))
    )
