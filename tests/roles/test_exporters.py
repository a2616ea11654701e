"""A host after role exporters: every exporter answers on its port, with numbers of this host."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
PAGE = "python3 -c \"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{}/metrics').read().decode())\""


def test_node_exporter_of_the_bill_answers(host):
    assert 'node_exporter_build_info{version="1.9.1"' in host.check_output(PAGE.format(9100))


def test_what_root_writes_into_the_folder_of_text_files_is_shown(host):
    host.check_output("printf 'node_gate_accepted 1\\n' > /var/lib/node_exporter/textfile/gate.prom")
    assert "node_gate_accepted 1" in host.check_output(PAGE.format(9100))


def test_dcgm_exporter_shows_the_counters_that_an_operator_is_called_for(host):
    output = host.check_output(PAGE.format(9400))
    for counter in (
        "DCGM_FI_DEV_ROW_REMAP_PENDING",
        "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
        "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL",
    ):
        assert output.count(f"{counter}{{") == 8


def test_it_asks_the_engine_of_the_host(host):
    output = host.check_output("systemctl cat nvidia-dcgm-exporter")
    assert "--remote-hostengine-info localhost:5555" in output


def test_they_are_there_after_a_boot(host):
    for unit in ("node_exporter", "nvidia-dcgm-exporter"):
        assert host.check_output(f"systemctl is-enabled {unit}") == "enabled"
