import pytest

from tests.unit.roles.conftest import SYSTEMS

NODE = {"exporters_node_version": "1.9.1", "exporters_file_mirror": "http://10.0.0.2:8080"}
DCGM = {"exporters_vendor": "nvidia", "exporters_dcgm_version": "4.8.3"}
AMD = {"exporters_vendor": "amd", "exporters_vendor_version": "1.4.0"}
ASCEND = {
    "exporters_vendor": "huawei",
    "exporters_vendor_version": "7.3.0",
    "exporters_file_mirror": "http://10.0.0.2:8080",
}


def test_only_what_is_named_is_installed(declared):
    nothing = declared("exporters")
    assert (nothing.packages, nothing.files, nothing.units, nothing.verify) == ({}, {}, {}, {})
    assert list(declared("exporters", **NODE).units) == ["node_exporter"]


@pytest.mark.parametrize("os", SYSTEMS)
def test_packages_of_each_system(declared, os):
    assert declared("exporters", os=os, **DCGM).packages == {"datacenter-gpu-manager-exporter": "4.8.3-*"}
    assert declared("exporters", os=os, **AMD).packages == {"amdgpu-exporter": "1.4.0*"}
    assert declared("exporters", os=os, **NODE).packages == {}


def test_a_repository_with_an_epoch_can_be_told(declared):
    role = declared("exporters", **DCGM, exporters_dcgm_epoch="1:").packages
    assert role == {"datacenter-gpu-manager-exporter": "1:4.8.3-*"}


def test_node_exporter_comes_from_the_mirror_and_shows_the_folder_of_text_files(declared):
    role = declared("exporters", **NODE, exporters_node_sha256="c" * 64)
    (archive,) = role.part("install")["downloads"]
    assert archive["url"] == "http://10.0.0.2:8080/files/node_exporter-1.9.1.linux-amd64.tar.gz"
    assert archive["sha256"] == "c" * 64
    unit = role.files["/etc/systemd/system/node_exporter.service"]
    assert "--web.listen-address=:9100" in unit
    assert "--collector.textfile.directory=/var/lib/node_exporter/textfile" in unit


def test_dcgm_exporter_asks_the_host_engine_with_the_counters_of_the_site(declared):
    role = declared("exporters", **DCGM, exporters_dcgm_counters=["DCGM_FI_PROF_SM_ACTIVE, gauge, Busy SMs"]).files
    unit = role["/etc/systemd/system/nvidia-dcgm-exporter.service.d/90-rackwright.conf"]
    assert "--remote-hostengine-info localhost:5555" in unit
    counters = role["/etc/dcgm-exporter/rackwright-counters.csv"].splitlines()
    fields = [line.split(",")[0] for line in counters if not line.startswith("#")]
    assert {"DCGM_FI_DEV_ROW_REMAP_PENDING", "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "DCGM_FI_PROF_SM_ACTIVE"} <= set(fields)
    assert len(fields) == len(set(fields))
    assert all(len(line.split(", ", 2)) == 3 for line in counters if not line.startswith("#"))


@pytest.mark.parametrize(
    ("options", "units", "port"),
    [(AMD, ["gpuagent", "amd-metrics-exporter"], "5000"), (ASCEND, ["npu-exporter"], "8082")],
)
def test_exporters_of_other_vendors_run_on_their_own_ports(declared, options, units, port):
    role = declared("exporters", **options)
    assert list(role.units) == units
    assert role.verify["exporter of the vendor"]["run"][-1] == port
    second = declared("exporters", **options, exporters_vendor_port=19000)
    assert second.verify["exporter of the vendor"]["run"][-1] == "19000"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"exporters_vendor": "biren", "exporters_vendor_version": "1.0"},
            "biren has no exporter that runs as a service",
        ),
        ({"exporters_node_version": "1.9.1"}, "give software.file_mirror"),
        ({**DCGM, **NODE, "exporters_dcgm_port": 9100}, "two exporters have the same port (9100, 9100)"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared("exporters", **options).refused


@pytest.mark.parametrize("options", [{}, NODE, DCGM, AMD, ASCEND])
def test_sound_wishes_are_accepted(declared, options):
    assert declared("exporters", **options).refused == ""
