"""Which accelerators the containers of a twin node are given: those that their pod asked for, by the device plugin and the runtime.

Shape: Kubernetes 1.34, device plugins; NVIDIA/nvidia-container-toolkit: as the default runtime it gives the devices of
``NVIDIA_VISIBLE_DEVICES`` to unprivileged containers, too, unless ``accept-nvidia-visible-devices-envvar-when-unprivileged`` is false.
"""

from __future__ import annotations

import json
import os
import tomllib
from typing import Any

from . import containerd_config, parts

SETTINGS = "/run/rackwright-twin/pods.json"
"""``devices``: files by accelerator; ``shown``: a fault shows all of them; ``policies``: the network plugin has network policies."""
TOOLKIT = "/etc/nvidia-container-runtime/config.toml"
UNPRIVILEGED = "accept-nvidia-visible-devices-envvar-when-unprivileged"
VARIABLE = "NVIDIA_VISIBLE_DEVICES"


def settings() -> dict[str, Any]:
    """Device settings of this node; without a file those of a server without accelerators."""
    if not os.path.exists(SETTINGS):
        return {"devices": [], "shown": False, "policies": True}
    with open(SETTINGS, encoding="utf-8") as file:
        return dict(json.load(file))


class NodeDevices:
    """The accelerators of a node, and the pods that hold them."""

    def __init__(self, accelerators: list[list[str]], *, shows_all: bool) -> None:
        self._free, self._all, self._shows_all = list(accelerators), accelerators, shows_all
        self._given: dict[str, list[list[str]]] = {}

    def give(self, uid: str, container: dict[str, Any]) -> list[str]:
        """The device files of a container of the pod `uid`."""
        limits = (container.get("resources") or {}).get("limits") or {}
        count = sum(int(number) for name, number in limits.items() if "/" in name)
        self._given[uid], self._free = self._free[:count], self._free[count:]
        variables = {entry["name"] for entry in container.get("env") or []}
        everything = any(name.endswith("_VISIBLE_DEVICES") for name in variables) and (
            self._shows_all or (VARIABLE in variables and _runtime_shows())
        )
        chosen = self._all if everything and not count else self._given[uid]
        return [file for files in chosen for file in files]

    def take_back(self, uid: str) -> None:
        """Take the devices back from a pod that has ended."""
        self._free += self._given.pop(uid, [])


def _runtime_shows() -> bool:
    """Whether NVIDIA's runtime is the default of every pod, and accepts the variable from unprivileged ones."""
    release = parts.release("containerd")
    plugins = containerd_config.load(containerd_config.MAIN, release)["plugins"]
    section = plugins[containerd_config.RUNTIME[release.split(".")[0]]]["containerd"]
    if section.get("default_runtime_name") != "nvidia":
        return False
    if not os.path.exists(TOOLKIT):
        return True
    with open(TOOLKIT, "rb") as file:
        return bool(tomllib.load(file).get(UNPRIVILEGED, True))
