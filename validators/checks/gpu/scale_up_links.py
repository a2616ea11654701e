"""Every link between accelerators other than NVLink is up."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.accelerator import Accelerators
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Accelerators) -> Finding:
    """Compare the active links of every accelerator with the SKU; an empty matrix makes the verdict inconclusive."""
    part = compare.accelerator(expectation)
    return compare.every(
        expectation,
        compare.by_device(record, lambda device: sum(device.scale_up_active) if device.scale_up_active else None),
        lambda active: active == part.scale_up_links,
        what="active links between accelerators",
        expected=str(part.scale_up_links),
        source=compare.sku_source(part, "scale_up_links"),
    )


def applies(expectation: Expectation) -> bool:
    """Nodes whose vendor's tool reports the state of the links."""
    part = expectation.node.accelerator
    return part is not None and part.scale_up_links > 0 and "link_states" in part.capabilities


CHECK = Check(reads=Accelerators, judge=judge, applies=applies)
