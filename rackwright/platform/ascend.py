"""Labels by which MindCluster finds nodes with Ascend NPUs (Ascend/mind-cluster, installation, creating node labels; read 2026-08-22)."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.platform.object import Object, make

FAMILIES = {"davinci-310p": "huawei-Ascend310P"}
"""Architecture -> value of ``accelerator``; all others are 910."""
FAMILY = "huawei-Ascend910"
ARCHITECTURES = {"amd64": "huawei-x86", "arm64": "huawei-arm"}


def node_labels(design: Design) -> list[Object]:
    """A Node with its labels for every node with NPUs that Kubernetes schedules."""
    nodes = [node for node in design.nodes("accelerator") if node.scheduler == "kubernetes"]
    return [
        make(
            "v1", "Node", node.name,
            labels={
                "accelerator": FAMILIES.get(node.accelerator.architecture, FAMILY),
                "host-arch": ARCHITECTURES[node.server.architecture],
                "workerselector": "dls-worker-node",
                "nodeDEnable": "on",
            },
        )
        for node in nodes
        if node.accelerator is not None and node.accelerator.vendor == "huawei"
    ]  # fmt: skip
