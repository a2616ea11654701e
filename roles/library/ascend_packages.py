#!/usr/bin/python
"""Ansible module: Ascend driver, firmware, container runtime and CANN, in the order that the installed versions require.

First installation: driver, then firmware; upgrade: firmware, then driver (Ascend/ascend-deployer, mindx.npu; Huawei's driver and firmware
installation guide). A module, because the order depends on the host, which a task list cannot express. An interrupted step is remembered and
repeated.
"""

from __future__ import annotations

import re
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.rackwright_act import ActError, last_words
from ansible.module_utils.rackwright_holders import holders

DOCUMENTATION = r"""
module: ascend_packages
short_description: Ascend software in the right order
options:
  parts:
    description: driver, firmware, runtime, cann; each with version, path of its .run file, further arguments, and a unit to restart.
    type: dict
    required: true
  even_if_unhealthy:
    description: Upgrade although a chip is not OK.
    type: bool
    default: false
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
author: rackwright
"""

EXAMPLES = r"""
- name: Driver and firmware
  ascend_packages:
    parts:
      driver: {version: 25.2.3, path: /opt/driver.run, arguments: [--quiet, --install-for-all]}
      firmware: {version: 7.7.0.10.220, path: /opt/firmware.run, arguments: [--quiet]}
"""

RETURN = r"""
ansible_facts:
  description: Key rackwright_ascend with installed versions, the parts that wait for a reboot, and the boot that this was true of.
  returned: always
  type: dict
steps:
  description: Part and action, in the order they were carried out, or would be.
  returned: always
  type: list
"""

ROOT = "/usr/local/Ascend"
RECORDS = {
    "driver": (f"{ROOT}/driver/version.info", r"^Version=(.+)$"),
    "firmware": (f"{ROOT}/firmware/version.info", r"^Version=(.+)$"),
    "runtime": (f"{ROOT}/Ascend-Docker-Runtime/ascend_docker_runtime_install.info", r"^version=v?(.+)$"),
    "cann": ("/var/lib/rackwright/vendor/cann", r"^(.+)$"),
}
"""Version file of each part; that of CANN has moved between releases, so this module records its installation."""
PENDING = "/var/lib/rackwright/pending/ascend_packages.{}"
REBOOT = "/run/rackwright/ascend-reboot"
"""Parts that were installed in this boot; /run is empty after a reboot."""
BOOT_ID = "/proc/sys/kernel/random/boot_id"
DEVICES = ["/dev/davinci[0-9]*"]
HEALTH = re.compile(r"^\|\s*\d+\s+\S+\s*\|\s*([A-Za-z]+)\s*\|", re.MULTILINE)
OK_CODES = (0, 2)  # 2: done, and a reboot is due (Ascend/ascend-deployer, mindx.npu/tasks/task_firmware.yaml)
SECONDS = 1800


def steps(have, want, interrupted):
    """(part, action) in order. `have`: part -> installed version, empty if there is none."""
    first = not have["driver"] or not have["firmware"]
    order = ["driver", "firmware"] if first else ["firmware", "driver"]
    return [
        (part, _action(part, have[part], part in interrupted))
        for part in [*order, "runtime", "cann"]
        if part in want and (have[part] != want[part] or part in interrupted)
    ]


def _action(part, version, interrupted):
    if part == "cann":
        return "--install"
    words = ("--upgrade", "--install") if part == "runtime" else ("--upgrade", "--full")
    return words[0] if version and not interrupted else words[1]


def installed(records=None):
    """Part -> installed version."""
    return {part: _match(path, pattern) for part, (path, pattern) in (records or RECORDS).items()}


def _match(path, pattern):
    try:
        match = re.search(pattern, Path(path).read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
    except OSError:
        return ""
    return match[1].strip() if match else ""


class Run:
    """One run of the module on a host."""

    def __init__(self, module):
        """`module` runs commands."""
        self._module = module
        self._parts = module.params["parts"]

    def refuse(self, todo, have):
        """ActError if the work would disturb running programs or hide a broken chip."""
        if not have["driver"] or not any(part in ("driver", "firmware") for part, _ in todo):
            return
        busy = holders(DEVICES)
        if busy:
            raise ActError(f"programs run on the NPUs: {', '.join(busy)}; nothing was changed. Drain the node first")
        _, out, _ = self._module.run_command(["npu-smi", "info"], handle_exceptions=True)
        sick = sorted({state for state in HEALTH.findall(out) if state != "OK"})
        if sick and not self._module.params["even_if_unhealthy"]:
            raise ActError(
                f"npu-smi info shows chips that are {', '.join(sick)}; have them looked at before an upgrade, or say "
                "ascend_driver_even_if_unhealthy"
            )

    def step(self, part, action):
        """Install one part. A mark is kept until it has succeeded. ActError if the installer fails or leaves another version."""
        entry, mark = self._parts[part], Path(PENDING.format(part))
        mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch()
        if part in ("driver", "firmware"):
            _note(part)
        argv = ["timeout", "--kill-after=10", str(SECONDS), "sh", entry["path"], action, *entry.get("arguments", [])]
        code, out, err = self._module.run_command(argv, environ_update={"LC_ALL": "C.UTF-8"})
        if code not in OK_CODES:
            raise ActError(
                f"{part} {entry['version']}: `{' '.join(argv[3:])}` ended with {code}: {last_words(err or out)}"
            )
        if part == "cann":
            Path(RECORDS[part][0]).parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            Path(RECORDS[part][0]).write_text(f"{entry['version']}\n", encoding="utf-8")
        version = installed()[part]
        if version != entry["version"]:
            raise ActError(
                f"{part}: the installer ended well and left version {version or 'none'}, wanted {entry['version']}"
            )
        if entry.get("restart"):  # the engine knows its runtimes from its start on
            self._module.run_command(["systemctl", "try-restart", entry["restart"]])
        mark.unlink()


def _note(part):
    path = Path(REBOOT)
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    noted = _noted()
    if part not in noted:
        path.write_text("".join(f"{name}\n" for name in [*noted, part]), encoding="utf-8")


def _noted():
    return Path(REBOOT).read_text(encoding="utf-8").split() if Path(REBOOT).exists() else []


def main():
    """Decide what to do, and do it unless in check mode."""
    module = AnsibleModule(
        argument_spec={
            "parts": {"type": "dict", "required": True},
            "even_if_unhealthy": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    want = {part: entry["version"] for part, entry in module.params["parts"].items()}
    have = installed()
    interrupted = [part for part in want if Path(PENDING.format(part)).exists()]
    todo = steps(have, want, interrupted)
    run = Run(module)
    try:
        run.refuse(todo, have)
        for part, action in [] if module.check_mode else todo:
            run.step(part, action)
    except ActError as error:
        module.fail_json(msg=str(error), steps=todo, changed=installed() != have)
    after = {part: want.get(part, version) for part, version in have.items()} if module.check_mode else installed()
    facts = {"rackwright_ascend": {"installed": after, "reboot": _noted(), "boot_id": _match(BOOT_ID, r"^(.+)$")}}
    diff = {"before": _lines(have), "after": _lines(after)}
    module.exit_json(changed=bool(todo), steps=todo, ansible_facts=facts, diff=diff)


def _lines(versions):
    return "".join(f"{part} {version or 'absent'}\n" for part, version in versions.items())


if __name__ == "__main__":
    main()
