import pytest

from tests.unit.roles.conftest import SYSTEMS

SET = {
    "sockets": 2, "cores_per_socket": 56, "memory_gib": 2048, "gres": "gpu:h100:8", "feature": "dgx-h100", "hosts": "train-[001-002]",
    "devices": [{"name": "gpu", "type": "h100", "files": "/dev/nvidia[0-7]"}], "nodes": {"train-001": "10.0.0.1", "train-002": "10.0.0.2"},
}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _lookups():
    """The role asks whether a file is there, with a plug-in that Ansible finds only after this."""
    from ansible.plugins.loader import init_plugin_loader

    init_plugin_loader()


@pytest.fixture
def options(tmp_path):
    key = tmp_path / "munge.key"
    key.write_bytes(bytes(128))
    return {
        "slurm_config_cluster": "site1",
        "slurm_config_controllers": [{"name": "slurm-01", "address": "10.0.0.10"}],
        "slurm_config_sets": [SET],
        "slurm_config_partitions": [{"name": "train", "hosts": "train-[001-031]", "default": True}],
        "slurm_config_munge_key_file": str(key),
    }


def test_jobs_are_confined_on_a_host_of_its_own_and_may_lock_memory(declared, options):
    files = declared("slurm_config", **options).files
    conf = files["/etc/slurm/slurm.conf"].splitlines()
    assert "PropagateResourceLimitsExcept=MEMLOCK" in conf
    assert "PrologFlags=Alloc,Contain" in conf
    assert "TaskPlugin=task/affinity,task/cgroup" in conf
    assert "CgroupAutomount=" not in files["/etc/slurm/cgroup.conf"]
    assert "NodeName=train-[001-002] Name=gpu Type=h100 File=/dev/nvidia[0-7]" in files["/etc/slurm/gres.conf"]


def test_a_container_has_no_control_groups_to_give(declared, options):
    files = declared("slurm_config", facts={"container": True}, **options).files
    assert "/etc/slurm/cgroup.conf" not in files
    assert "PrologFlags" not in files["/etc/slurm/slurm.conf"]


@pytest.mark.parametrize("os", SYSTEMS)
def test_a_slurm_without_control_groups_version_2_is_refused(declared, options, os):
    message = declared("slurm_config", os=os, **options).refused
    assert ("Slurm 21.08 does not know control groups version 2" in message) == (os == "ubuntu-22.04")
    assert declared("slurm_config", os=os, **options, slurm_config_version="25.05").refused == ""


def test_a_release_that_is_none_is_refused(declared, options):
    assert "written as 25.05 (found 25.5)" in declared("slurm_config", **options, slurm_config_version="25.5").refused


@pytest.mark.parametrize("os", SYSTEMS)
def test_packages_of_schedmd_come_at_the_version_that_was_asked_for(declared, options, os):
    """On every system by the names of SchedMD's packaging, whose release decides what the files may say (jammy's own is refused)."""
    smd = {"slurm_config_smd": "25.11.4", "slurm_node_pam_adopt": True, "base_selinux": "permissive"}
    roles = {
        name: declared(name, os=os, slurm_node_name="a", **options, **smd)
        for name in ("slurm_config", "slurm_controller", "slurm_node")
    }
    assert [role.refused for role in roles.values()] == ["", "", ""]
    packages = {name: version for role in roles.values() for name, version in role.packages.items()}
    debian = ["", "-client", "-slurmctld", "-slurmd", "-libpam-slurm-adopt"]
    redhat = ["", "-slurmctld", "-slurmd", "-pam_slurm"]
    names = redhat if SYSTEMS[os]["family"] == "redhat" else [f"-smd{name}" for name in debian]
    assert packages == {"munge": "", **{f"slurm{name}": "25.11.4-*" for name in names}}


def test_a_version_of_schedmd_s_packages_that_no_controller_serves_is_refused(declared, options):
    def refused(controller, smd):
        others = {"groups": {"slurm_controller": ["slurm-01"]}, "hostvars": {"slurm-01": controller}}
        return declared("slurm_config", **options, **others, slurm_config_smd=smd).refused

    assert "written as 25.11.4 (found 25.11)" in refused({"slurm_config_smd": "25.11.4"}, "25.11")
    assert "(found 25.11.4 here, 25.05.8 there)" in refused({"slurm_config_smd": "25.05.8"}, "25.11.4")
    assert "the distribution's there" in refused({}, "25.11.4")
    assert refused({"slurm_config_smd": "25.11.4"}, "25.05.8") == ""


def test_slurmd_has_the_limits_that_jobs_inherit(declared):
    role = declared("slurm_node", slurm_node_name="train-001")
    unit = role.files["/etc/systemd/system/slurmd.service.d/90-rackwright.conf"]
    assert "LimitMEMLOCK=infinity\n" in unit
    assert "Delegate=yes\n" in unit
    assert "/etc/systemd/system/slurmd.service.d/*" in role.units["slurmd"]["restart_on"]
    assert role.verify["Name of the node"]["expect"] == "^train\\-001$"


def test_a_limit_on_locked_memory_is_refused(declared):
    limits = {"MEMLOCK": "64K"}
    assert "found MEMLOCK 64K" in declared("slurm_node", slurm_node_name="a", slurm_node_limits=limits).refused
    assert declared("slurm_node", slurm_node_name="a").refused == ""


@pytest.mark.parametrize("os", SYSTEMS)
def test_only_owners_of_jobs_log_in_where_that_was_asked(declared, os):
    role = declared("slurm_node", os=os, slurm_node_name="a", slurm_node_pam_adopt=True)
    assert "slurm-pam_slurm" in role.packages or "libpam-slurm-adopt" in role.packages
    assert "pam_slurm_adopt.so" in role.files["/etc/pam.d/sshd"]
    assert role.units["systemd-logind"]["masked"] is True
    assert "/etc/pam.d/sshd" not in declared("slurm_node", os=os, slurm_node_name="a").files


def test_the_users_of_slurm_and_munge_have_one_number_before_their_packages_come(declared, options):
    install = declared("slurm_config", os="rocky-9", **options).part("install")
    assert {entry["name"]: entry["uid"] for entry in install["users"]} == {"slurm": 64030, "munge": 64101}
    assert {entry["name"]: entry["gid"] for entry in install["groups"]} == {"slurm": 64030, "munge": 64101}
    assert [entry["name"] for entry in install["users"] if entry.get("only_if_missing")] == ["munge"]


def test_a_node_whose_user_slurm_has_another_number_than_the_controller_s_is_refused(declared, options):
    def refused(controller, **of_node):
        others = {"groups": {"slurm_controller": ["slurm-01"]}, "hostvars": {"slurm-01": controller}}
        return declared("slurm_config", **options, **others, **of_node).refused

    assert "(found 22078, expected 64030)" in refused({}, slurm_config_uid=22078)
    assert "(found 64030, expected 22078)" in refused({"slurm_config_uid": 22078})
    assert refused({"slurm_config_uid": 22078}, slurm_config_uid=22078) == refused({}) == ""


def test_a_controller_does_not_forget_nodes_that_still_get_jobs(declared, options):
    def unfit(*serving):
        return declared("slurm_controller", facts={"slurm_serving": list(serving)}, **options).unfit

    assert unfit("train-001", "train-002") == ""
    assert "train-031 would leave Slurm while Slurm still gives it jobs" in unfit("train-001", "train-031")


def test_a_node_of_kubernetes_keeps_nothing_of_slurm(declared):
    named = {"kubernetes_node_version": "1.34.2", "kubernetes_node_containerd": "2.1.5", "kubernetes_node_name": "a"}
    reached = {"kubernetes_node_endpoint": "10.0.0.10:6443", "kubernetes_node_address": "10.0.0.1"}
    gone = {"/etc/pam.d/sshd", "/etc/munge/munge.key", "/etc/slurm/slurm.conf", "/var/lib/slurm/slurmd"}

    def absent(**more):
        sections = declared("kubernetes_node", **named, **reached, **more).sections
        return {entry["path"] for entry in sections["files"] if entry.get("absent")}, [
            unit["name"] for unit in sections["units"]
        ]

    files, units = absent(kubernetes_node_after_slurm=True)
    assert gone <= files
    assert units[:2] == ["slurmd", "munge"]
    assert absent() == (set(), [unit for unit in units if unit not in ("slurmd", "munge", "systemd-logind")])
