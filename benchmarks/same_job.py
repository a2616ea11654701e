"""What `benchmarks.machines_beside` has each way do to a machine, as a careful author writes it with the tools of each: one declared state for all three.

Declared are the identity (serial number and UUID), one BIOS attribute, the version of one firmware component, one account of the BMC, a one-time boot from the
network, and power. Each reads first, refuses another machine, changes what differs, powers on, and reads back what it changed.
"""

from __future__ import annotations

from typing import Any

USER, ROLE, PASSWORD_ENV, ACCOUNT_PASSWORD = "monitor", "ReadOnly", "BMC_MONITOR", "only-to-be-measured"
ATTRIBUTE, VALUE = "ControlIommu", "Enable"
COMPONENT, VERSION = "CPLDMB_0", "0.2.1.8"
ROOT = "/redfish/v1"
SYSTEM = f"{ROOT}/Systems/DGX"
ACCOUNTS = f"{ROOT}/AccountService/Accounts"
BOOT = {"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Once"}


def declared_site(text: str, identities: str) -> str:
    """A site file with what is declared; `identities`: name of its file, beside it."""
    pool = "server: dgx-h100,"
    settings = f"{pool} bios: {{{ATTRIBUTE}: {VALUE}}}, firmware: {{{COMPONENT}: '{VERSION}'}},"
    account = f"{{name: {USER}, role: {ROLE}, password_env: {PASSWORD_ENV}}}"
    bmc = f"control:\n  bmc: {{identities_file: {identities}, accounts: [{account}]}}\n"
    return text.replace(pool, settings, 1).replace("\ncontrol:\n", f"\n{bmc}", 1)


def bring_up(ask: Any, sleep: Any, address: str, serial: str, uuid: str, password: str) -> dict[str, str]:
    """The job of a small provider, by requests of ``ask(address, path, method, body)``; what it records."""
    system = ask(address, SYSTEM)
    if (system["SerialNumber"], system["UUID"].lower()) != (serial, uuid.lower()):
        raise RuntimeError(f"another machine answers at {address}: {system['SerialNumber']}")
    bios = ask(address, system["Bios"]["@odata.id"])
    if bios["Attributes"][ATTRIBUTE] != VALUE:
        pending = bios["@Redfish.Settings"]["SettingsObject"]["@odata.id"]
        ask(address, pending, "PATCH", {"Attributes": {ATTRIBUTE: VALUE}})
    version = ask(address, f"{ROOT}/UpdateService/FirmwareInventory/{COMPONENT}")["Version"]
    accounts = [ask(address, member["@odata.id"]) for member in ask(address, ACCOUNTS)["Members"]]
    mine = [account for account in accounts if account["UserName"] == USER]
    if not mine:
        ask(address, ACCOUNTS, "POST", {"UserName": USER, "Password": password, "RoleId": ROLE, "Enabled": True})
    elif mine[0]["RoleId"] != ROLE:
        ask(address, mine[0]["@odata.id"], "PATCH", {"RoleId": ROLE})
    if system["PowerState"] != "On":
        ask(address, SYSTEM, "PATCH", {"Boot": BOOT})
        ask(address, f"{SYSTEM}/Actions/ComputerSystem.Reset", "POST", {"ResetType": "On"})
        while ask(address, SYSTEM)["PowerState"] != "On":
            sleep(1)
    bios = ask(address, system["Bios"]["@odata.id"])
    return {"address": address, "serial": serial, "version": version, "bios": bios["Attributes"][ATTRIBUTE]}


PLAY = f"""
- hosts: all
  gather_facts: false
  connection: local
  vars:
    login: {{baseuri: "{{{{ bmc }}}}", username: admin, password: "{{{{ lookup('env', 'BMC_PASSWORD') }}}}"}}
    redfish: "{{{{ login | combine({{'category': 'Systems', 'resource_id': 'DGX'}}) }}}}"
  module_defaults:
    community.general.redfish_command: "{{{{ redfish }}}}"
    community.general.redfish_info: "{{{{ login }}}}"
    community.general.redfish_config: "{{{{ redfish }}}}"
  tasks:
    - community.general.redfish_info: {{category: Systems, command: GetSystemInventory}}
      register: system
    - ansible.builtin.assert:
        that: system.redfish_facts.system.entries | map('last') | selectattr('SerialNumber', 'defined') | selectattr('SerialNumber', 'eq', machine_serial) | list | length == 1
        quiet: true
    - community.general.redfish_config: {{command: SetBiosAttributes, bios_attributes: {{{ATTRIBUTE}: {VALUE}}}}}
    - community.general.redfish_info: {{category: Update, command: GetFirmwareInventory}}
    - community.general.redfish_info: {{category: Accounts, command: ListUsers}}
      register: users
    - community.general.redfish_command:
        {{category: Accounts, command: AddUser, account_username: {USER}, account_password: {ACCOUNT_PASSWORD}, account_roleid: {ROLE}}}
      when: users.redfish_facts.user.entries | selectattr('UserName', 'eq', '{USER}') | list | length == 0
    - community.general.redfish_command: {{command: SetOneTimeBoot, bootdevice: Pxe}}
    - community.general.redfish_command: {{command: PowerOn}}
    - community.general.redfish_info: {{category: Systems, command: GetBiosAttributes}}
"""
