#!/usr/bin/python3
"""Takes an idle node out of its Kubernetes cluster: stops the kubelet, and resets what kubeadm has set up.

It uses the rights of the node itself: it reads its own object and its own pods, and changes neither; cordon and drain are left to the administrator
of the cluster. A program of its own, because the look and the first step must be one act.
"""

import json
import subprocess
import sys
from pathlib import Path

KUBECONFIG = "/etc/kubernetes/kubelet.conf"
NETWORK = "/etc/cni/net.d"
"""Configuration of the pod network, which `kubeadm reset` leaves (kubeadm reset, External clean up; Kubernetes 1.34)."""
ENDED = ("Succeeded", "Failed")
MIRROR = "kubernetes.io/config.mirror"
"""Annotation of pods that the kubelet reads from files (static pods)."""
SECONDS = 30
RESET_SECONDS = 300


def serving(node, pods):
    """Why a node must not be taken out; empty if nothing is in the way. `node` is None if the cluster does not know it."""
    if node is None:
        return ""
    if not node["spec"].get("unschedulable"):
        return "it takes new pods"
    names = [f"{pod['metadata']['namespace']}/{pod['metadata']['name']}" for pod in pods if _counts(pod)]
    return f"it runs {', '.join(names)}" if names else ""


def _counts(pod):
    """Whether a drain moves a pod away (kubectl drain --ignore-daemonsets)."""
    metadata = pod["metadata"]
    owners = [owner["kind"] for owner in metadata.get("ownerReferences") or []]
    standing = "DaemonSet" in owners or MIRROR in (metadata.get("annotations") or {})
    return not standing and pod.get("status", {}).get("phase") not in ENDED


def ask(path):
    """The answer of the API server; None if it does not have the object. OSError for any other failure."""
    argv = ["kubectl", f"--kubeconfig={KUBECONFIG}", "get", f"--raw={path}"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if "NotFound" in done.stderr or "not found" in done.stderr:
        return None
    raise OSError((done.stderr or done.stdout).strip().split("\n")[-1] or f"kubectl ended with {done.returncode}")


def main():
    """Look, then leave."""
    name = subprocess.run(["hostname", "--short"], capture_output=True, text=True, check=True).stdout.strip()
    hint = f"kubectl drain {name} --ignore-daemonsets"
    try:
        node = ask(f"/api/v1/nodes/{name}")
        pods = ask(f"/api/v1/pods?fieldSelector=spec.nodeName%3D{name}") if node else None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(
            f"whether {name} serves Kubernetes cannot be told ({error}); after `{hint}`, run `kubeadm reset` on it yourself",
            file=sys.stderr,
        )
        return 1
    why = serving(node, (pods or {}).get("items") or [])
    if why:
        print(f"{name} still serves Kubernetes ({why}): `{hint}` first", file=sys.stderr)
        return 1
    subprocess.run(["systemctl", "disable", "--now", "kubelet"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["kubeadm", "reset", "--force"], check=True, timeout=RESET_SECONDS, stdout=subprocess.DEVNULL)
    for file in Path(NETWORK).glob("*"):
        file.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
