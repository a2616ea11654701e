"""The work as a playbook of ordinary tasks, one per thing, as playbooks are usually written."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from typing import Any

Act = dict[str, Any]


def _file(act: Act) -> Act:
    rights = {name: act[name] for name in ("mode", "owner", "group") if name in act}
    decoded = "{{ '" + act.get("base64", "") + "' | b64decode }}"
    content = {"src": act["from"]} if "from" in act else {"content": act.get("text") or decoded}
    folder = act["path"].rpartition("/")[0]
    copy = {**content, "dest": act["path"], **rights}
    return {"ansible.builtin.copy": copy, "folder": folder}


def _unit(act: Act) -> Act:
    if act["masked"]:
        return {"ansible.builtin.systemd_service": {"name": act["name"], "masked": True}, "failed_when": False}
    task = {"ansible.builtin.systemd_service": {"name": act["name"], "enabled": True, "state": "started"}}
    return {**task, "failed_when": False} if act["missing_ok"] else task


def _run(act: Act) -> Act:
    return {"ansible.builtin.command": {"cmd": shlex.join(act["run"])}}


KINDS: dict[str, Callable[[Act], Act]] = {
    "fetch": lambda act: {"ansible.builtin.get_url": {"url": act["url"], "dest": act["path"]}},
    "file": _file,
    "link": lambda act: {
        "ansible.builtin.file": {"state": "link", "path": act["path"], "src": act["target"], "force": True}
    },
    "run": _run,
    "group": lambda act: {"ansible.builtin.group": {"name": act["name"], "gid": act["gid"]}},
    "user": lambda act: {"ansible.builtin.user": {"name": act["name"], "uid": act["uid"], "group": act["group"]}},
    "unit": _unit,
    "reboot": lambda act: {"ansible.builtin.reboot": {}},  # noqa: ARG005 - the form of all kinds
    "look": lambda act: {**_run(act), "changed_when": False, "failed_when": False},
}


def playbook(work: list[Act]) -> list[Act]:
    """One play over all hosts."""
    tasks: list[Act] = []
    for number, act in enumerate(work):
        task = KINDS[act["kind"]](act)
        folder = task.pop("folder", None)
        if folder:
            tasks.append(
                {
                    "name": f"{act['role']} {number} folder",
                    "ansible.builtin.file": {"state": "directory", "path": folder},
                }
            )
        tasks.append({"name": f"{act['role']} {number}", **task})
    return [{"name": "Onboard", "hosts": "all", "gather_facts": True, "tasks": tasks}]


if __name__ == "__main__":
    json.dump(playbook(json.load(sys.stdin)), sys.stdout, indent=1)
