"""The NVLink domain as the IMEX daemon of a tray sees it: one JSON document.

Shape: `nvidia-imex-ctl -N -j` as recorded on live domains (NVIDIA isv-ncp-validation-suite, imex_domain tests, 2026-09).
"""

import json

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.design import Node
from rackwright.model.evidence.imex import Imex, ImexNode


def parse(output: str) -> Imex:
    """``{"nodes": {"0": {"status", "host", "connections": {"0": {"host", "status"}}}}, "status": "UP"}``."""
    try:
        document = json.loads(output)
        nodes = sorted(document["nodes"].items(), key=lambda item: int(item[0]))
        return Imex(
            status=document["status"],
            nodes=[
                ImexNode(
                    host=node["host"],
                    status=node["status"],
                    connections={peer["host"]: peer["status"] for _, peer in sorted(node["connections"].items())},
                )
                for _, node in nodes
            ],
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(1, output, f"JSON of nvidia-imex-ctl ({type(error).__name__}: {str(error)[:80]})") from None


def owed(node: Node) -> bool:
    """Nodes whose NVLinks lead out of them: no NVSwitch of their own, and more than a bridge between two cards."""
    part = node.accelerator
    return part is not None and part.nvlink_links > 0 and node.server.nvswitches == 0


COLLECTOR = Collector(
    produces=Imex,
    parse=parse,
    seconds=30,
    roles=("accelerator",),
    vendors=("nvidia",),
    owed=owed,
    command=("nvidia-imex-ctl", "-N", "-j"),
)
