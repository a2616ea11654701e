"""What the record of a machine holds beside its inputs, made from what was observed of it; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rackwright.model.resource import Machine, MachineIdentity
from rackwright.redfish import accounts, firmware, plan, settings
from rackwright.redfish.apply import ObservedMachine

Properties = dict[str, Any]


def recorded(inputs: Properties, declared: Machine, observed: ObservedMachine, adopted: MachineIdentity) -> Properties:
    """The inputs, and every output of `wire.OUTPUTS` that this machine and site have."""
    boot = {"bootOverride": observed.system.boot_override} if plan.boot_can_be_set(observed.system, declared) else {}
    updates = firmware.drift(declared.firmware, declared.updates, observed.firmware)
    return {
        **inputs,
        **boot,
        **_settings(declared, observed.settings),
        **({"firmwareDrift": updates} if declared.updates else {}),
        "serialNumber": observed.identity.serial,
        "systemUuid": observed.identity.uuid,
        "adopted": list(adopted),
        "powerState": observed.system.power_state,
        "biosVersion": observed.bmc.bios_version,
        "bmcVersion": observed.bmc.bmc_version,
        "seenModel": observed.bmc.model,
        "mismatches": [
            *plan.mismatches(observed.bmc, observed.system, declared),
            *settings.drift(declared, observed.settings),
            *_strangers(declared, observed.settings),
            *firmware.mismatches(declared, observed.firmware),
        ],
    }


def settings_drifted(state: Mapping[str, Any], declared: Machine) -> list[str]:
    """The outputs of the recorded `state` that a run would put right."""
    drifted = [name for name in ("biosDrift", "accountDrift") if state.get(name)]
    following, current = state.get("secureBootNext"), state.get("secureBootState")
    if declared.secure_boot and following not in (None, declared.secure_boot):
        drifted.append("secureBootNext")
    if declared.power_cap_watts and state.get("powerCapState") not in (None, declared.power_cap_watts):
        drifted.append("powerCapState")
    if declared.restart:
        drifted += ["biosPending"] if state.get("biosPending") else []
        drifted += ["secureBootState"] if following == declared.secure_boot not in ("", current) else []
    if state.get("firmwareDrift") and declared.flash:
        drifted.append("firmwareDrift")
    if declared.erase and declared.wipe != "none":
        drifted.append("wiped")
    return drifted


def _settings(declared: Machine, observed: settings.Settings) -> Properties:
    """What of the declared BIOS attributes is not in force: a sentence for each that no boot will change, and the names of those that wait for a boot; Secure Boot and cap."""
    bios, boot, cap, users = observed
    outputs: Properties = {}
    if bios:
        only_bios = settings.drift(declared, settings.Settings(bios))
        outputs |= {"biosDrift": list(only_bios), "biosPending": bios.staged(declared.bios)}
    if boot:
        outputs |= {"secureBootState": boot.current, "secureBootNext": boot.following}
    if cap:
        outputs["powerCapState"] = cap.watts
    if users:
        outputs["accountDrift"] = list(accounts.drift(declared.accounts, users))
    return outputs


def _strangers(declared: Machine, observed: settings.Settings) -> Iterator[str]:
    return accounts.strangers(declared.accounts, observed.accounts) if observed.accounts else iter(())


def as_observed(address: str, name: str, observed: ObservedMachine) -> Machine:
    """What an import declares of the machine that answers at the BMC `address`."""
    bmc = observed.bmc
    return Machine(
        name=name,
        bmc_address=address,
        model=bmc.model,
        manufacturer=bmc.manufacturer,
        gpu_count=len(bmc.gpu_models),
        gpu_model=bmc.gpu_models[0] if bmc.gpu_models else "",
        memory_gib=round(bmc.memory_gib),
        cpu_count=bmc.cpu_count,
        nic_count=len(bmc.nic_ports),
        boot_target="None",
        boot_once=False,
        power="Unmanaged",
    )
