"""The machine at this BMC address is the server model that was bought."""

from rackwright import compare
from rackwright.compare import bmc
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.server import ANY_MAKER
from rackwright.model.verdict import Finding, Outcome

MAKERS = {
    "Dell Inc.": "Dell", "Hewlett Packard Enterprise": "HPE", "Huawei Technologies Co., Ltd.": "Huawei", "Nvidia": "NVIDIA",
    "NVIDIA Corporation": "NVIDIA", "SUPERMICRO": "Supermicro", "Super Micro Computer, Inc.": "Supermicro", "Super Micro Computer": "Supermicro",
    "Inspur Electronic Information Industry": "Inspur", "IEIT SYSTEMS": "Inspur", "LENOVO": "Lenovo",
}  # fmt: skip
"""Manufacturer as BMCs report it (NVIDIA/libredfish, spyroot/redfish_ctl and makers' interface descriptions) -> as
catalogs name it.
"""


def judge(expectation: Expectation, record: BmcEvidence) -> Finding:
    """Compare manufacturer and model that the BMC reports with the server SKU, or with the names that the SKU gives for
    its BMC.
    """
    server = expectation.node.server
    names = [f"{server.manufacturer} {server.model}", *(server.bmc.names if server.bmc else ())]
    reported = f"{maker(record.manufacturer)} {record.model}" if record.model else None
    if reported and reported not in names and server.manufacturer == ANY_MAKER and len(names) == 1:
        return compare.finding(
            expectation,
            Outcome.DEGRADED,
            what="machine is",
            observed=reported,
            expected=f"a machine like {server.model}, of which the SKU names no model (`bmc.names`)",
            source=compare.sku_source(server, "model"),
            advisory=True,
        )
    return compare.equal(
        expectation,
        names[0] if reported in names else reported,
        names[0],
        what="machine is",
        source=compare.sku_source(server, "model"),
    )


def maker(name: str) -> str:
    """A manufacturer as catalogs name it, without its legal form."""
    return MAKERS.get(name, name)


CHECK = bmc.resting_on(Check(reads=BmcEvidence, judge=judge), "system")
