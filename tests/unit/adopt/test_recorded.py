"""Nodes of other vendors, put together from recorded output of their real tools."""

import pytest

from rackwright.collect import survey
from rackwright.collect.store.reading import ParsedAnswer
from rackwright.flow import adopted_nodes
from rackwright.model.evidence.host import Package, Packages
from rackwright.model.survey import Identity
from tests.unit.adopt import answers as nodes

MISSING = ParsedAnswer(None, "", "it is not installed on the node")
RECORDED = [
    # collector, case, product of the firmware, accelerator, server, versions of the bill
    ("amd_smi", "mi300x", "AS -8125GS-TNMR2", "mi300x", "mi300x-8u", {"rocm": "7.1.0"}),
    ("npu_smi", "atlas_910b", "Atlas 900 A2 PoD", "ascend-910b", "atlas-900-a2-pod",
     {"ascend_driver": "25.3.rc1", "ascend_firmware": "7.7.0.6.236"}),
    ("hl_smi", "gaudi3", "SYS-822GA-NGR3", "gaudi3", "gaudi3-8u", {"vendor_driver": "1.22.1-97ec1a4"}),
    ("mthreads_gmi", "s4000", "MCCX D800", "mtt-s4000", "mccx-d800", {}),
    ("hy_smi", "k100", "", "hygon-k100-ai", None, {}),
    ("mx_smi", "c500", "R5300 G6", "metax-c500", "r5300-g6", {}),
    ("cnmon", "mlu370", "NF5468M6", "mlu370-x4", "nf5468m6", {}),
]  # fmt: skip


def recorded_reading(tool: str, case: str, product: str):
    answers = dict.fromkeys(survey.questions(), MISSING)
    answers[tool] = nodes.recorded(tool, case)
    answers["identity"] = ParsedAnswer(Identity(manufacturer="Maker", product=product, board=""), "", "")
    return adopted_nodes.node_reading("gpu01", "10.1.0.1", answers)


@pytest.mark.parametrize(("tool", "case", "product", "accelerator", "server", "versions"), RECORDED)
def test_a_recorded_node_is_drafted(tool, case, product, accelerator, server, versions):
    reading = recorded_reading(tool, case, product)
    grouping = nodes.grouped([reading])
    (pool,) = grouping.pools
    assert pool.accelerator == accelerator
    if server:
        assert pool.server == server
    bill = nodes.bills(grouping)[pool.name].versions
    assert {name: bill[name] for name in versions} == versions


def packages(**versions: str) -> dict:
    return {
        Packages: Packages(
            packages={
                name.replace("_", "-"): Package(version=version, held=False, status="installed")
                for name, version in versions.items()
            }
        )
    }


@pytest.mark.parametrize(
    ("installed", "field", "version"),
    [
        ({"amdgpu_dkms": "1:6.16.6.30200100-2255209.24.04"}, "amdgpu", "30.20.1"),
        ({"amdgpu_dkms": "1:6.12.12.60402-2202139.24.04"}, "amdgpu", "6.4.2"),
        ({"amdgpu_dkms": "1:30.30.2-1"}, "amdgpu", "30.30.2"),
        ({"libnccl2": "2.30.4-1+cuda13.0"}, "cuda", "13.0"),
        ({"libnccl2": "2.30.4-1+cuda13.0", "cuda_toolkit_12_8": "12.8.1-1"}, "cuda", "12.8"),
        ({"doca_ofed": "3.2.2-018000-25.10"}, "doca", "3.2.2"),
        ({"kubelet": "1.34.2-1.1"}, "kubernetes", "1.34.2"),
        ({"enroot": "4.1.2-1"}, "enroot", "4.1.2"),
        ({"nvslurm_plugin_pyxis": "0.24.0-1+slurm25.05.3"}, "pyxis", "0.24.0"),
    ],
)  # fmt: skip
def test_packages_become_fields_of_the_bill(installed, field, version):
    from rackwright.adopt import pool_bill
    from rackwright.adopt.reading import NodeReading

    bill = pool_bill([NodeReading("n", "n", "", records=packages(**installed))], adopted_nodes.package_names(), {})
    assert bill.versions[field] == version


def test_mlnx_ofed_and_an_unknown_system_are_named():
    from rackwright.adopt import pool_bill
    from rackwright.adopt.reading import NodeReading
    from rackwright.model.evidence.host import Host

    host = Host(
        hostname="n",
        kernel="6.4.0-150600.21-default",
        os_id="sles",
        os_version="15.6",
        cpus=1,
        memory_bytes=1,
        modules=[],
        sysctl={},
        memlock_limit_bytes=None,
    )
    records = {**packages(mlnx_ofed_kernel_dkms="24.10.OFED.24.10.0.7.0.1-1"), Host: host}
    first, second = pool_bill([NodeReading("n", "n", "", records=records)], {}, {}).unfit
    assert "sles-15.6" in first
    assert "MLNX_OFED 24.10" in second
