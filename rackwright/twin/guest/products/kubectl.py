"""kubectl of a twin node: ``get --raw=PATH``, and ``get nodes`` with the readiness of each, for who has an account.

Shape: Kubernetes 1.34, staging/src/k8s.io/kubectl: flags and messages.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import sys
import tempfile

from . import cluster, parts

SECONDS = 10


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    path = parts.option(words, "--kubeconfig") or os.environ.get("KUBECONFIG", "")
    if not path or not os.path.exists(path):
        print("error: You must be logged in to the server (there is no kubeconfig on this node)", file=sys.stderr)
        return 1
    with open(path, encoding="utf-8") as file:
        text = file.read()
    raw, selector = parts.option(words, "--raw"), parts.option(words, "--selector")
    status, content = _get(text, raw or f"/api/v1/nodes?labelSelector={selector}")
    if status != http.HTTPStatus.OK:
        print(f"Error from server: {content}", file=sys.stderr)
        return 1
    if raw:
        print(content, end="")
        return 0
    for node in json.loads(content)["items"]:
        ready = [entry["status"] for entry in node.get("status", {}).get("conditions", []) if entry["type"] == "Ready"]
        print(node["metadata"]["name"], *ready)
    return 0


def _get(kubeconfig: str, path: str) -> tuple[int, str]:
    data = {name: base64.b64decode(value) for name, value in re.findall(r"(\S+-data): (\S+)", kubeconfig)}
    for file in re.findall(r"client-certificate: (\S+)", kubeconfig):  # of a kubelet, with its key in the same file
        with open(file, "rb") as identity_file:
            data["client-certificate-data"] = identity_file.read()
    match = re.search(r"server: https://(\S+)", kubeconfig)
    with tempfile.NamedTemporaryFile() as identity:
        identity.write(data["client-certificate-data"])
        identity.flush()
        trust = cluster.of_authority(data["certificate-authority-data"].decode(), identity.name)
    connection = http.client.HTTPSConnection(match[1] if match else "", timeout=SECONDS, context=trust)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except OSError as error:
        return 0, f"dial tcp: {error.strerror or error}"
    finally:
        connection.close()
