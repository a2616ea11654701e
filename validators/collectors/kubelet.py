"""The node's own object in Kubernetes, read with the rights of its kubelet, which may read no other node's."""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.kubelet import Kubelet


def parse(output: str) -> Kubelet:
    """One object of kind Node (API reference of Kubernetes, Node v1)."""
    try:
        node = json.loads(output)
        if node["kind"] != "Node":
            raise ParseError(1, output, "an object of kind Node")
        spec, status = node.get("spec") or {}, node["status"]
        return Kubelet(
            name=node["metadata"]["name"],
            conditions={condition["type"]: condition["status"] for condition in status.get("conditions") or []},
            allocatable={name: str(value) for name, value in (status.get("allocatable") or {}).items()},
            capacity={name: str(value) for name, value in (status.get("capacity") or {}).items()},
            taints=[_taint(condition) for condition in spec.get("taints") or []],
            unschedulable=bool(spec.get("unschedulable", False)),
            version=(status.get("nodeInfo") or {}).get("kubeletVersion", ""),
        )
    except json.JSONDecodeError as error:
        raise ParseError(error.lineno, output, "the JSON of kubectl get node") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, ParseError):
            raise
        raise ParseError(1, output, "metadata, spec and status of a node") from None


def _taint(taint: dict[str, Any]) -> str:
    return f"{taint['key']}={taint.get('value', '')}:{taint['effect']}"


COLLECTOR = Collector(
    produces=Kubelet,
    parse=parse,
    as_root=True,
    seconds=20,
    roles=("accelerator",),
    command=("kubectl", "--kubeconfig=/etc/kubernetes/kubelet.conf", "get", "node", "{node}", "--output=json"),
    schedulers=("kubernetes",),
)
