from dataclasses import replace

import pytest

from rackwright.collect import collector
from rackwright.collect.output import Output
from rackwright.collect.store.assemble import Header, assemble
from rackwright.collect.store.reading import Seen, reading
from rackwright.model.evidence.bmc import BmcEvidence, NicPort
from rackwright.model.evidence.fabric import FabricLink, FabricMap, NodeFabric
from rackwright.model.evidence.host import Clock
from rackwright.model.evidence.network import Gid, Rdma, RdmaDevice
from rackwright.model.evidence.scheduler import SchedulerNode

GOOD_CLOCK = b"7F000001,10.64.0.2,9,1.0,0.0002,0.1,0.1,0.1,0.1,0.1,0.1,0.1,1.0,Normal\n"
SLURM = (
    b"NodeName=train-001 Arch=x86_64\n   Gres=gpu:8\n   State=IDLE+DRAIN\n   Reason=new [root@2026-11-21T08:00:00]\n"
)
ADAPTERS = {"train-001": {"mlx5_0": "compute", "mlx5_3": "compute", "mlx5_1": "storage"}}
GUIDS = {"mlx5_0": "0x00000000000000a0", "mlx5_3": "0x00000000000000a3", "mlx5_1": "0x00000000000000a1"}


def bmc(ports=GUIDS):
    nics = [NicPort(adapter=name, port_guid=guid, mac=None) for name, guid in ports.items()]
    return BmcEvidence(
        manufacturer="NVIDIA", model="DGXH100", serial="1", power_state="On", bios_version="1", bmc_version="1", health="OK",
        cpu_count=2, memory_gib=2048.0, gpu_models=[], nic_ports=nics, psus_ok=6, psus_total=6, boot_override="None",
    )  # fmt: skip


def subnet(*guids, switch="compute-leaf-01"):
    return FabricMap(
        links=[
            FabricLink(
                guid=guid, kind="Ca", name="train-001", port=1, remote_guid="0x00000000000000ff", remote_kind="Switch",
                remote_name=switch, remote_port=1, speed="4xNDR",
            )
            for guid in guids
        ]
    )  # fmt: skip


def evidence(*outputs, owed=("clock",), parsed=None):
    collectors = dict(collector.library())
    for identity, value in (parsed or {}).items():  # what a parser would say, so that a test is about the join alone
        collectors[identity] = replace(collectors[identity], parse=value)
    header = Header(run_times={"train-001": "2026-11-21T08:00:00+00:00"}, owed={"train-001": owed}, adapters=ADAPTERS)
    stored = []
    for answer in outputs:
        read = reading(answer, f"hash of {answer.collector}{answer.subject}", collectors[answer.collector])
        stored.append(Seen(answer.node, answer.collector, answer.subject, read, frozenset(answer.nodes)))
    return assemble(header, stored, collectors)["train-001"]


def out(identity, stdout=b"x", node="train-001", subject="", rc=0, **fields):
    return Output(node=node, collector=identity, subject=subject, stdout=stdout, rc=rc, **fields)


def test_a_record_comes_with_the_hash_of_its_raw_output_and_the_time():
    stored = evidence(out("clock", GOOD_CLOCK))
    assert stored.get(Clock).offset_seconds == 0.0002
    assert stored.raw == {Clock: "hash of clock"}
    assert (stored.errors, stored.taken) == ({}, "2026-11-21T08:00:00+00:00")


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (None, "train-001 was never asked or the run ended before it answered"),
        (out("clock", error="train-001 cannot be reached"), "train-001 cannot be reached"),
        (out("clock", b"506 Cannot talk to daemon\n", rc=1), "chronyc ended with status 1: 506 Cannot talk to daemon"),
        (out("clock", b"", rc=1), "chronyc ended with status 1 and printed nothing"),
        (out("clock", b"ignored", rc=-9, stderr=b"first\nlast\n"), "chronyc ended with status -9: last"),
        (out("clock", b"nonsense\n"), "output cannot be read, line 1: expected the 14 comma-separated fields"),
        (out("clock", b"\xff\xfe\n"), "output cannot be read, line 1"),
    ],
)
def test_a_record_that_is_owed_and_not_there_has_a_sentence(output, words):
    stored = evidence(*([output] if output else []))
    assert words in stored.errors["clock"]
    assert stored.get(Clock) is None


def test_a_crashing_parser_costs_its_own_record_alone():
    def crash(_):
        raise RuntimeError("boom")

    stored = evidence(out("clock", GOOD_CLOCK), out("host"), owed=("clock", "host"), parsed={"host": crash})
    assert stored.get(Clock) is not None
    assert stored.errors == {"host": "the parser of host crashed on this output (RuntimeError: boom)"}
    assert stored.owes == {"host": "Host"}


def test_each_node_gets_its_own_line_of_the_scheduler():
    stored = evidence(out("scheduler", SLURM, node="slurm-01"), owed=("scheduler",))
    assert stored.get(SchedulerNode).states == ["idle", "drain"]


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (
            out("scheduler", SLURM.replace(b"001", b"002"), node="slurm-01"),
            "the scheduler on slurm-01 does not know train-001",
        ),
        (out("scheduler", node="slurm-01", error="slurm-01 cannot be reached"), "slurm-01: slurm-01 cannot be reached"),
        (None, "there is no scheduler to ask"),
    ],
)
def test_a_node_that_the_scheduler_says_nothing_of_has_a_sentence(output, words):
    stored = evidence(*([output] if output else []), owed=("scheduler",))
    assert words in stored.errors["scheduler"]


def rdma(ports=GUIDS):
    """What a host says of its InfiniBand devices: the GUID of a port is the second half of its first GID."""
    devices = {
        name: RdmaDevice(
            pci_address="0000:18:00.0", model="MT4129", firmware="28.39", board="MT_0000000838", node_guid="0000:0000:0000:0001",
            numa_node=0, link_layer="InfiniBand", state="ACTIVE", physical_state="LinkUp", rate="400 Gb/sec (4X NDR)", active_mtu=4096,
            partition_keys=[0xFFFF], counters={},
            gids=[Gid(index=0, address=f"fe80:0000:0000:0000:{':'.join(guid[2:][at : at + 4] for at in range(0, 16, 4))}", kind="IB/RoCE v1")],
        )
        for name, guid in ports.items()
    }  # fmt: skip
    return Rdma(kernel="6.8.0", modules=[], open_driver=True, devices=devices)


def joined(compute, storage, machine=None, host=None):
    """The node's fabric from two subnets, each a map, an error, or nothing."""
    outputs = [out("bmc")] if machine != "none" else []
    outputs += [out("rdma")] if host else []
    maps = {}
    for fabric, output_text in (("compute", compute), ("storage", storage)):
        if isinstance(output_text, str):
            outputs.append(out("fabric", node="ufm-01", subject=fabric, error=output_text))
        elif output_text is not None:
            maps[fabric] = output_text
            outputs.append(out("fabric", fabric.encode(), node="ufm-01", subject=fabric))
    parsed = {"bmc": lambda _: machine or bmc(), "fabric": lambda text: maps[text], "rdma": lambda _: host}
    return evidence(*outputs, owed=("fabric", "bmc", "rdma"), parsed=parsed)


def test_adapters_are_joined_by_what_the_host_says_whatever_its_bmc_calls_them():
    named_by_place = bmc({"DevType7_NIC0": None, "NIC.Slot.2": "0x00000000000000a0", "slot-27": None})
    stored = joined(subnet(GUIDS["mlx5_0"], GUIDS["mlx5_3"]), subnet(GUIDS["mlx5_1"]), named_by_place, rdma())
    assert sorted(stored.get(NodeFabric).links) == ["mlx5_0", "mlx5_1", "mlx5_3"]
    assert all(stored.get(NodeFabric).links.values())


def test_an_adapter_that_fell_off_the_bus_is_joined_by_its_bmc():
    host = rdma({"mlx5_0": GUIDS["mlx5_0"], "mlx5_1": GUIDS["mlx5_1"]})
    stored = joined(subnet(GUIDS["mlx5_0"], GUIDS["mlx5_3"]), subnet(GUIDS["mlx5_1"]), host=host)
    assert stored.get(NodeFabric).links["mlx5_3"].remote_name == "compute-leaf-01"


def test_a_host_alone_is_enough():
    stored = joined(subnet(GUIDS["mlx5_0"], GUIDS["mlx5_3"]), subnet(GUIDS["mlx5_1"]), "none", rdma())
    assert all(stored.get(NodeFabric).links.values())


def test_adapters_are_joined_with_the_subnets_by_guid():
    stored = joined(subnet(GUIDS["mlx5_0"], GUIDS["mlx5_3"]), subnet(GUIDS["mlx5_1"], switch="storage-leaf-01"))
    links = stored.get(NodeFabric).links
    assert {name: link.remote_name for name, link in links.items()} == {
        "mlx5_0": "compute-leaf-01", "mlx5_3": "compute-leaf-01", "mlx5_1": "storage-leaf-01",
    }  # fmt: skip
    assert stored.raw[NodeFabric] == "hash of fabriccompute hash of fabricstorage"
    assert "fabric" not in stored.errors


def test_an_adapter_that_a_subnet_that_was_read_does_not_show_is_none():
    stored = joined(subnet(GUIDS["mlx5_0"]), subnet(GUIDS["mlx5_1"]))
    assert stored.get(NodeFabric).links["mlx5_3"] is None


def test_an_adapter_in_the_wrong_subnet_is_found_there():
    stored = joined(subnet(GUIDS["mlx5_0"], GUIDS["mlx5_3"], GUIDS["mlx5_1"]), subnet("0x00000000000000ee"))
    assert stored.get(NodeFabric).links["mlx5_1"].remote_name == "compute-leaf-01"


@pytest.mark.parametrize("storage", ["ufm-01 cannot be reached", None])
def test_a_subnet_that_was_not_read_never_looks_like_a_missing_cable(storage):
    stored = joined(subnet(GUIDS["mlx5_0"]), storage)
    links = stored.get(NodeFabric).links
    assert links["mlx5_3"] is None
    assert "mlx5_1" not in links
    assert stored.errors["fabric"] == f"subnet storage: {f'ufm-01: {storage}' if storage else 'was not read'}"


def test_one_dead_witness_of_a_subnet_does_no_harm():
    outputs = [
        out("bmc"),
        out("fabric", node="train-001", subject="storage", error="dead"),
        out("fabric", node="train-002", subject="storage"),
    ]
    parsed = {"bmc": lambda _: bmc(), "fabric": lambda _: subnet(GUIDS["mlx5_1"])}
    for order in (outputs, outputs[::-1]):
        stored = evidence(*order, owed=("fabric", "bmc"), parsed=parsed)
        assert list(stored.get(NodeFabric).links) == ["mlx5_1"]
        assert stored.errors["fabric"] == "subnet compute: was not read"


def test_without_any_subnet_there_is_no_record():
    stored = joined("dead", "dead too")
    assert stored.get(NodeFabric) is None
    assert stored.errors["fabric"] == "subnet compute: ufm-01: dead; subnet storage: ufm-01: dead too"


def test_without_host_and_bmc_the_guids_are_not_known():
    stored = joined(subnet(GUIDS["mlx5_0"]), subnet(), machine="none")
    assert stored.get(BmcEvidence) is None
    assert "neither the host nor its BMC" in stored.errors["fabric"]


def test_an_adapter_whose_guid_the_bmc_does_not_tell_is_left_out():
    stored = joined(subnet(GUIDS["mlx5_0"]), subnet(GUIDS["mlx5_1"]), machine=bmc({**GUIDS, "mlx5_3": None}))
    assert "mlx5_3" not in stored.get(NodeFabric).links
