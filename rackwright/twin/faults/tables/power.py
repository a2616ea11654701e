"""Faults of power supplies, power caps and rack PDUs."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_machine, set_chassis, set_pdu
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="pdu-breaker-tripped",
        summary="A breaker of a rack PDU has tripped",
        apply=set_pdu(1, tripped=(2,)),
        checks={"power.breakers"},
        names={"Branch 2"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-feed-dead",
        summary="Feed B of a rack is dead",
        apply=set_pdu(1, volts_share=0.0, health="Critical"),
        checks={"power.voltage"},
        names={"Mains A L2"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-line-lost",
        summary="One line of a feed is lost",
        apply=set_pdu(0, dead_lines=("L3",)),
        checks={"power.voltage", "power.balance"},
        names={"L3"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-low-voltage",
        summary="A feed runs below its voltage",
        apply=set_pdu(1, volts_share=0.86),
        checks={"power.voltage"},
        names={"Mains A L1"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-outlets-off",
        summary="Two outlets of a rack PDU were switched off",
        apply=set_pdu(0, dark_outlets=2),
        checks={"power.cords"},
        names={"C19-1"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-overloaded",
        summary="A feed of a rack carries more than its circuit may",
        apply=set_pdu(0, load_share=1.3, line_shares=(1.9, 1.9, 1.9)),
        checks={"power.line_current", "power.load"},
        names={"Mains A"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-silent",
        summary="The controller of a rack PDU does not answer",
        apply=set_pdu(1, silent=True),
        checks={"power.*"},
        names={"does not answer"},
        elsewhere={"power.*"},
        refused=False,
        unread=True,
    ),
    Fault(
        name="pdu-unbalanced",
        summary="Supplies of a rack are plugged into one line",
        apply=set_pdu(0, line_shares=(2.2, 0.4, 0.2)),
        checks={"power.balance"},
        names={"L1"},
        elsewhere={"power.*"},
        refused=False,
    ),
    Fault(
        name="pdu-unhealthy",
        summary="A rack PDU reports a fault of its own",
        apply=set_pdu(0, health="Warning"),
        checks={"power.health"},
        names={"Warning"},
        elsewhere={"power.*"},
        refused=False,
    ),
    # 600 W, below the peak of every server, from a test.
    Fault(
        name="power-cap-left",
        summary="A power cap was left behind",
        apply=set_chassis(power_limit_watts=600.0),
        checks={"bmc.power_cap"},
        names={"600 W"},
        reported="limit",
    ),
    Fault(
        name="power-implausible",
        summary="The machine draws more power than its design allows",
        apply=set_chassis(power_watts=11_400.0),
        checks={"bmc.power_draw"},
        names={"11400 W"},
        reported="draw",
        refused=False,
    ),
    Fault(
        name="psu-cord-out",
        summary="The cord of a power supply is out",
        apply=set_chassis(lost_inputs=(2,)),
        checks={"bmc.psu_input", "bmc.psus"},
        names={"{supply[2]}"},
        reported="input",
        refused=False,
    ),
    Fault(
        name="psu-failed",
        summary="A power supply has failed",
        apply=change_machine(lambda machine: replace(machine, psus_ok=machine.psus_ok - 1)),
        checks={"bmc.psus"},
    ),
    # Redundancy is switched off.
    Fault(
        name="psu-redundancy-lost",
        summary="The power supplies share the load without a spare",
        apply=set_chassis(redundancy="Critical"),
        checks={"bmc.psu_redundancy"},
        names={"Critical"},
        reported="redundancy",
    ),
)
