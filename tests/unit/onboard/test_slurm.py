import re
from dataclasses import replace

import jinja2
import pytest

from rackwright import catalog
from rackwright.base import content
from rackwright.onboard import slurm


def test_the_facts_of_the_example_site(example, tmp_path):
    facts = slurm.slurm_variables(example, tmp_path / "key")
    (nodes,) = facts["slurm_config_sets"]
    assert facts["slurm_config_controllers"] == [
        {"name": "slurm-01", "address": example.node("slurm-01").inband_address}
    ]
    assert (nodes["gres"], nodes["hosts"]) == ("gpu:h100:8", "train-[001-031]")
    assert nodes["devices"] == [{"name": "gpu", "type": "h100", "files": "/dev/nvidia[0-7]"}]
    assert (nodes["sockets"], nodes["cores_per_socket"], nodes["memory_gib"]) == (2, 56, 2048)


@pytest.mark.parametrize(
    ("vendor", "files"),
    [("amd", "/dev/dri/renderD[128-135]"), ("huawei", "/dev/davinci[0-7]"), ("intel", "/dev/accel/accel[0-7]")],
)
def test_gres_of_other_vendors(example, vendor, files):
    node = example.node("train-001")
    accelerator = node.accelerator.model_copy(update={"vendor": vendor})
    makers = replace(example, vendors=catalog.load().vendors)
    assert slurm._gres(makers, replace(node, accelerator=accelerator))["files"] == files
    assert (
        slurm._gres(makers, replace(node, accelerator=accelerator, accelerators=1))["files"]
        == files.replace("[", "").split("-")[0]
    )


def test_a_site_without_slurm_has_no_slurm_variables(example, tmp_path):
    site = example.site
    without = site.model_copy(update={"control": site.control.model_copy(update={"slurm": None})})
    assert slurm.slurm_variables(replace(example, site=without), tmp_path / "key") == {}


@pytest.fixture
def rendered(example, tmp_path):
    """slurm.conf and its neighbours as the role renders them, with the two variables that only a host knows."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(content.folder("templates", "slurm")),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )

    def render(name, *, own_machine=True, **variables):
        return environment.get_template(name).render(
            **{**slurm.slurm_variables(example, tmp_path / "key"), **variables},
            ansible_managed="managed",
            slurm_config_memory_percent=95,
            __slurm_config_own_machine=own_machine,
            __slurm_config_state_folder="/var/lib/slurm/slurmctld",
            __slurm_config_spool_folder="/var/lib/slurm/slurmd",
            __slurm_config_log_folder="/var/log/slurm",
        )

    return render


def test_slurm_conf_names_every_node_with_its_address(rendered, example):
    lines = rendered("slurm.conf.j2").splitlines()
    for node in example.nodes("accelerator"):
        assert f"NodeName={node.name} NodeAddr={node.inband_address}" in lines
    assert "PartitionName=train Nodes=train-[001-031] Default=YES State=UP OverSubscribe=EXCLUSIVE" in lines
    default = next(line for line in lines if line.startswith("NodeName=DEFAULT"))
    assert default.split()[1:] == [
        "Sockets=2", "CoresPerSocket=56", "RealMemory=1992294", "Feature=dgx-h100", "Gres=gpu:h100:8",
    ]  # fmt: skip


def test_slurm_conf_gives_no_node_a_state_because_slurmctld_would_apply_it_at_every_restart(rendered):
    text = rendered("slurm.conf.j2")
    assert "DownNodes" not in text
    assert not re.search(r"^NodeName=.*State=", text, re.MULTILINE)
    assert "ReturnToService=1" in text.splitlines()


def test_a_machine_of_its_own_is_watched_by_control_groups_and_judged_by_its_true_size(rendered):
    mine, shared = rendered("slurm.conf.j2"), rendered("slurm.conf.j2", own_machine=False)
    assert "ProctrackType=proctrack/cgroup" in mine
    assert "config_overrides" not in mine
    assert "ProctrackType=proctrack/linuxproc" in shared
    assert "SlurmdParameters=config_overrides" in shared


def test_gres_conf_names_the_device_files(rendered):
    assert "NodeName=train-[001-031] Name=gpu Type=h100 File=/dev/nvidia[0-7]" in rendered("gres.conf.j2").splitlines()
    assert not [line for line in rendered("cgroup.conf.j2").splitlines() if line.startswith("CgroupAutomount")]


@pytest.mark.parametrize(
    ("pools", "default", "expected"),
    [
        ([("train", None)], None, {"train": ["train"]}),
        ([("train", None)], "batch", {"batch": ["train"], "train": ["train"]}),
        ([("train", "big")], None, {"big": ["train"]}),
        ([("train", None), ("serve", None)], None, {"all": ["train", "serve"], "train": ["train"], "serve": ["serve"]}),
        (
            [("train", "big"), ("serve", None)],
            "batch",
            {"batch": ["train", "serve"], "big": ["train"], "serve": ["serve"]},
        ),
    ],
)
def test_each_pool_has_its_partition_and_the_default_one_has_all_nodes(example, pools, default, expected):
    site = example.site
    declared = [site.pools[0].model_copy(update={"name": name, "partition": partition}) for name, partition in pools]
    control = site.control.model_copy(update={"slurm": site.control.slurm.model_copy(update={"partition": default})})
    changed = site.model_copy(update={"pools": declared, "control": control})
    assert changed.partitions() == expected
    assert next(iter(changed.partitions())) == changed.default_partition


def test_pools_of_kubernetes_are_in_no_partition(example):
    site = example.site
    pools = [site.pools[0], site.pools[0].model_copy(update={"name": "pods", "scheduler": "kubernetes"})]
    assert site.model_copy(update={"pools": pools}).partitions() == {"train": ["train"]}


def test_slurm_conf_has_a_line_for_each_partition(rendered, example):
    text = rendered("slurm.conf.j2", slurm_config_partitions=[
        {"name": "all", "hosts": "train-[001-031]", "default": True}, {"name": "big", "hosts": "train-001", "default": False},
    ])  # fmt: skip
    assert [line for line in text.splitlines() if line.startswith("PartitionName")] == [
        "PartitionName=all Nodes=train-[001-031] Default=YES State=UP OverSubscribe=EXCLUSIVE",
        "PartitionName=big Nodes=train-001 Default=NO State=UP OverSubscribe=EXCLUSIVE",
    ]
