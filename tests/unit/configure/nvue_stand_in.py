"""A switch with NVUE, as far as `rackwright switches` talks to it. No NVUE runs here; what it answers is taken from:

- CumulusNetworks/docs, Cumulus Linux 5, NVUE Object Model, "Config Commands" (read 2026-11-27): `nv config apply --confirm` rolls back by itself,
  `detach` drops what is pending, `patch` updates the pending revision with a YAML file, `save` writes the startup configuration, which a
  restart loads;
- NVIDIA NVOS User Manual for InfiniBand Switches 25.02.3000, "Chassis Information and Inventory Commands" (read): names of `nv show platform`;
- the NAPALM driver of Cumulus Linux (read): `nv config revision -o json` has the state ``confirm`` by number, `nv config apply 7 --confirm-yes`;
- the applied configuration joins ports with the same settings as ``swp1-4``.

Its clock stands still until the test moves it.
"""

from __future__ import annotations

import copy
import json
import shlex
from typing import Any

import yaml

SERIAL = "MT2416X02630"


class NvueStandIn:
    """`applied` and `startup` are trees under ``set``."""

    def __init__(self, applied: dict[str, Any], model: str = "MSN4700-WS2FC", hostname: str = "cumulus") -> None:
        self.applied, self.startup = applied, copy.deepcopy(applied)
        self.pending: dict[str, Any] | None = None
        self.before: dict[str, Any] | None = None
        self.model, self.hostname = model, hostname
        self.now, self.deadline, self.revision = 0.0, 0.0, 6
        self.files: dict[str, str] = {}
        self.log: list[str] = []
        # Faults
        self.rejects = ""
        self.loses_reach = self.stays_lost = self.restarts = self.other_hand = False
        self._shown = 0

    def reachable(self) -> bool:
        self._tick()
        return not ((self.loses_reach and self.before is not None) or (self.stays_lost and self.revision > 6))

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def _tick(self) -> None:
        if self.before is not None and self.now >= self.deadline:
            self.applied, self.before = self.before, None

    def answer(self, command: str, text: str) -> tuple[int, str, str]:  # noqa: C901 - one case per command
        self._tick()
        self.log.append(command)
        match shlex.split(command):
            case ["nv", "show", "platform", "-o", "json"]:
                return (
                    0,
                    json.dumps(
                        {"product-name": self.model.split("-")[0], "part-number": self.model, "serial-number": SERIAL}
                    ),
                    "",
                )
            case ["hostname"]:
                return 0, f"{self.hostname}\n", ""
            case ["nv", "config", "show", "-r", "applied", "-o", "yaml"]:
                return 0, self._show(), ""
            case ["nv", "config", "revision", "-o", "json"]:
                state = "confirm" if self.before is not None else "applied"
                return 0, json.dumps({str(self.revision): {"state": state}}), ""
            case ["nv", "config", "diff"]:
                return 0, yaml.safe_dump([{"set": self.pending}]) if self.pending is not None else "", ""
            case ["cat", ">", path]:
                self.files[path] = text
                return 0, "", ""
            case ["nv", "config", "patch", path]:
                return self._patch(path)
            case ["nv", "unset", *place]:
                self._unset(place)
                return 0, "", ""
            case ["nv", "set", *place]:
                return self._set(place)
            case ["nv", "config", "apply", "--confirm", time, "--assume-yes"]:
                return self._apply(float(time.removesuffix("s")))
            case ["nv", "config", "apply", number, "--confirm-yes"] if (
                number == str(self.revision) and self.before is not None
            ):
                self.before = None
                return 0, "applied\n", ""
            case ["nv", "config", "save"]:
                self.startup = copy.deepcopy(self.applied)
                return 0, "saved\n", ""
            case ["nv", "config", "detach"]:
                self.pending = None
                return 0, "", ""
        return 1, "", f"Error: unknown command: {command}\n"

    def _show(self) -> str:
        self._shown += 1
        if self.other_hand and self._shown == 2:
            self.applied.setdefault("service", {})["ntp"] = {"mgmt": {"server": {"192.0.2.9": {}}}}
        ports = {"interface": joined(self.applied["interface"])} if "interface" in self.applied else {}
        tree = {**self.applied, **ports}
        header = {"header": {"model": self.model, "nvue-api-version": "nvue_v1", "rev-id": 1.0}}
        return yaml.dump([header, {"set": tree}], Dumper=yaml.CSafeDumper, sort_keys=False)

    def _staged(self) -> dict[str, Any]:
        if self.pending is None:
            self.pending = copy.deepcopy(self.applied)
        return self.pending

    def _patch(self, path: str) -> tuple[int, str, str]:
        if self.rejects and self.rejects in self.files[path]:
            return 1, "", f"Error: {self.rejects} is not one of the values that are allowed.\n"
        for entry in yaml.load(self.files[path], Loader=yaml.CSafeLoader):
            merge(self._staged(), entry.get("set", {}))
        return 0, "", ""

    def _unset(self, place: list[str]) -> None:
        branch = self._staged()
        for name in place[:-1]:
            branch = branch[name]
        del branch[place[-1]]

    def _set(self, place: list[str]) -> tuple[int, str, str]:
        if self.rejects and self.rejects in place:
            return 1, "", f"Error: {self.rejects} is not one of the values that are allowed.\n"
        *names, last = place
        value: Any = {last: {}} if names[-1] in ("address", "gateway", "server") else last
        for name in reversed(names):
            value = {name: value}
        merge(self._staged(), value)
        return 0, "", ""

    def _apply(self, seconds: float) -> tuple[int, str, str]:
        self.before, self.applied, self.pending = self.applied, self._staged(), None
        self.deadline, self.revision = self.now + seconds, self.revision + 1
        self.hostname = self.applied.get("system", {}).get("hostname", self.hostname)
        if self.restarts:
            self.applied, self.before = copy.deepcopy(self.startup), None
        return 0, "applied\n", ""


def merge(tree: dict[str, Any], addition: dict[str, Any]) -> None:
    for name, value in addition.items():
        if isinstance(value, dict) and isinstance(tree.get(name), dict):
            merge(tree[name], value)
        else:
            tree[name] = value


def joined(ports: dict[str, Any]) -> dict[str, Any]:
    """``swp3`` to ``swp32`` with the same settings are one entry."""
    result: dict[str, Any] = {}
    run: list[str] = []
    for name in [*ports, None]:
        follows = (
            run and name is not None and name == f"swp{int(run[-1][3:]) + 1}"
            if run and run[-1][3:].isdigit()
            else False
        )
        if follows and ports[name] == ports[run[-1]]:
            run.append(name)
            continue
        if run:
            result[run[0] if len(run) == 1 else f"{run[0]}-{run[-1][3:]}"] = ports[run[0]]
        run = [name] if name is not None else []
    return result
