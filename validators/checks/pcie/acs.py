"""No bridge above an accelerator or a network adapter redirects traffic between them to the CPU."""

from rackwright.compare import bus
from rackwright.model.evidence.pci import BRIDGE

CHECK = bus.function_threshold(
    metric="pcie.refused_acs",
    judged=lambda function: function.pci_class == BRIDGE,
    value=lambda bridge: None if bridge.max_payload_bytes is None else tuple(bridge.acs or ()),
    good=lambda services, refused: not any(service in refused for service in services),
    what="Access Control Services that are on:",
    expected="none of {words}",
)
