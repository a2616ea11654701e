"""A host after role slurm_node: slurmd runs, and jobs may lock memory."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_slurmd_is_installed_enabled_and_has_its_limits(host):
    assert host.check_output("systemctl is-enabled slurmd") == "enabled"
    unit = host.check_output("systemctl cat slurmd")
    assert "LimitMEMLOCK=infinity" in unit
    assert "Delegate=yes" in unit


def test_everybody_may_log_in_where_nothing_else_was_asked(host):
    assert "pam_slurm_adopt" not in host.file("/etc/pam.d/sshd").content_string
