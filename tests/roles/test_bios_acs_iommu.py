"""A host after role bios_acs_iommu: no bridge redirects traffic between accelerators and adapters."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_access_control_is_off_on_every_bridge(host):
    rows = [line.split() for line in host.check_output("lspci -D -n").splitlines()]
    bridges = [row[0] for row in rows if row[1] == "0604:"]
    assert bridges
    for address in bridges:
        assert host.check_output(f"setpci -s {address} ECAP_ACS+0x6.w") == "0000"


def test_it_is_turned_off_again_at_every_boot(host):
    assert host.run("systemctl is-enabled rackwright-platform").stdout.strip() == "enabled"
    address = next(line.split()[0] for line in host.check_output("lspci -D -n").splitlines() if " 0604:" in line)
    host.check_output(f"setpci -s {address} ECAP_ACS+0x6.w=001d")
    assert host.run("rackwright-platform check").rc == 1
    host.check_output("systemctl restart rackwright-platform")
    assert host.run("rackwright-platform check").rc == 0
