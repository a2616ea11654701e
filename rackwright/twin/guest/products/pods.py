"""The pods of a twin node: runs what the API assigns to this node, and reports its status.

A container
has the node's own programs as its image: the twin has no registry. Shape: Kubernetes 1.34, core/v1 Pod; one container, volumes of
hostPath and ConfigMap, no second try.
"""

from __future__ import annotations

import contextlib
import os
import signal
import ssl
import subprocess
import threading
import time
from typing import Any

from . import cluster, container, kubeadm, pod_devices, pod_network

LOGS = "/var/log/pods"
LOOK_SECONDS = 0.5
"""Seconds between queries of the API; a real kubelet holds a watch."""
ENDED = ("Succeeded", "Failed")


class KubeletPod:
    """One pod on this node."""

    def __init__(self, body: dict[str, Any]) -> None:
        meta = body["metadata"]
        self.body, self.uid = body, str(meta["uid"])
        self.path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        self.container = body["spec"]["containers"][0]
        self.log = f"{LOGS}/{meta['namespace']}_{meta['name']}_{self.uid}/{self.container['name']}/0.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.ended = threading.Event()
        self.address = ""

    def kill(self) -> None:
        """End it and everything that it started."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.ended.set()


class Pods:
    """All pods of this node; `identity` makes the credentials for the API."""

    def __init__(self, node: str, endpoint: str, identity: Any) -> None:
        self._node, self._endpoint, self._identity = node, endpoint, identity
        self._known: dict[str, KubeletPod] = {}
        settings = pod_devices.settings()
        self._devices = pod_devices.NodeDevices(settings["devices"], shows_all=settings["shown"])
        self._network = pod_network.PodNetwork(
            node, lambda path: cluster.ask(endpoint, "GET", path, self._agent()), policies=settings["policies"]
        )

    @staticmethod
    def _agent() -> ssl.SSLContext:
        """Credentials of the agent of the pod network."""
        with open(f"{kubeadm.FOLDER}/pki/ca.crt", encoding="ascii") as authority:
            return cluster.of_authority(authority.read(), pod_network.IDENTITY)

    def serve(self) -> None:
        """Follow the API forever; if the API server does not answer, running pods continue."""
        path = f"/api/v1/pods?fieldSelector=spec.nodeName%3D{self._node}"
        while True:
            try:
                assigned = {pod["metadata"]["uid"]: pod for pod in self._request_api("GET", path)["items"]}
            except (cluster.ApiRefusedError, OSError, ValueError):
                time.sleep(LOOK_SECONDS)
                continue
            for uid, body in assigned.items():
                if (
                    uid not in self._known
                    and "deletionTimestamp" not in body["metadata"]
                    and (body.get("status") or {}).get("phase") not in ENDED
                ):
                    self._known[uid] = KubeletPod(body)
                    threading.Thread(target=self._run, args=(self._known[uid],), daemon=True).start()
            for uid in [uid for uid in self._known if uid not in assigned]:
                self._known.pop(uid).kill()
            for body in assigned.values():
                if "deletionTimestamp" in body["metadata"]:
                    self._end(body)
            with contextlib.suppress(cluster.ApiRefusedError, OSError):
                self._network.follow()
            time.sleep(LOOK_SECONDS)

    def _end(self, body: dict[str, Any]) -> None:
        """Kill a deleted pod, and remove it from the API."""
        pod = self._known.get(body["metadata"]["uid"]) or KubeletPod(body)
        pod.kill()
        with contextlib.suppress(cluster.ApiRefusedError):
            at_once = {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}
            self._request_api("DELETE", pod.path, {**at_once, "preconditions": {"uid": pod.uid}})

    def find(self, namespace: str, name: str) -> KubeletPod | None:
        """The pod of this name."""
        path = f"/api/v1/namespaces/{namespace}/pods/{name}"
        return next((pod for pod in list(self._known.values()) if pod.path == path), None)

    def _run(self, pod: KubeletPod) -> None:
        if (pod.body.get("status") or {}).get(
            "phase"
        ) == "Running":  # of a kubelet before this one, which took it along
            self._report_status(pod, {"phase": "Failed", "reason": "ContainerStatusUnknown"})
            return
        maps = self._maps(pod)
        if pod.ended.is_set():
            return
        os.makedirs(os.path.dirname(pod.log), exist_ok=True)
        with open(pod.log, "ab") as log:
            devices = self._devices.give(pod.uid, pod.container)
            pod.process = container.start(pod.uid, pod.body, maps, self._node, devices, log)
        running = {"phase": "Running", "containerStatuses": [self._state(pod, {"running": {}})]}
        if not pod.body["spec"].get("hostNetwork"):
            pod.address = self._network.attach(pod.process.pid)
            running |= {"podIP": pod.address, "podIPs": [{"ip": pod.address}]}
        self._report_status(pod, running)
        pod.process.communicate()  # closes its input, for which it has waited
        status = pod.process.returncode
        self._devices.take_back(pod.uid)
        self._network.detach(pod.address)
        if pod.ended.is_set():
            return
        pod.kill()  # what it left behind ends with it, as with the control group of a container
        code = status if status >= 0 else 128 - status
        state = self._state(pod, {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed"}})
        self._report_status(pod, {"phase": "Failed" if code else "Succeeded", "containerStatuses": [state]})

    def _maps(self, pod: KubeletPod) -> dict[str, dict[str, Any]]:
        """Config map name -> object, for the volumes of the pod; waits for those that do not exist yet."""
        maps: dict[str, dict[str, Any]] = {}
        names = [
            volume["configMap"]["name"] for volume in pod.body["spec"].get("volumes") or [] if "configMap" in volume
        ]
        space = pod.body["metadata"]["namespace"]
        for name in names:
            while name not in maps and not pod.ended.is_set():
                try:
                    maps[name] = self._request_api("GET", f"/api/v1/namespaces/{space}/configmaps/{name}")
                except cluster.ApiRefusedError:
                    waiting = {"waiting": {"reason": "ContainerCreating"}}
                    self._report_status(pod, {"containerStatuses": [self._state(pod, waiting)]})
                    time.sleep(LOOK_SECONDS)
        return maps

    def _state(self, pod: KubeletPod, state: dict[str, Any]) -> dict[str, Any]:
        return {"name": pod.container["name"], "image": pod.container["image"], "state": state}

    def _report_status(self, pod: KubeletPod, status: dict[str, Any]) -> None:
        """Report the status of a pod; repeated until the API server has accepted it, or the pod is gone."""
        while True:
            try:
                self._request_api("PATCH", f"{pod.path}/status", {"status": status})
            except cluster.ApiRefusedError as error:
                if error.status:
                    return
                time.sleep(LOOK_SECONDS)
            else:
                return

    def _request_api(self, method: str, path: str, body: Any = None) -> Any:
        return cluster.ask(
            self._endpoint,
            method,
            path,
            self._identity(),
            body=body,
            content_type=cluster.STRATEGIC if method == "PATCH" else "",
        )
