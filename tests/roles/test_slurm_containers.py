"""A host after role slurm_containers: enroot of its release, and the Slurm of this machine has loaded pyxis."""

import pytest

pytestmark = [pytest.mark.twin, pytest.mark.slurm]


def test_srun_takes_an_image_and_says_when_none_can_be_had(host):
    assert host.package("enroot").version == "4.1.2-1"
    assert "--container-image=" in host.check_output("srun --help")
    assert (
        "required /usr/lib/x86_64-linux-gnu/slurm/spank_pyxis.so"
        in host.file("/etc/slurm/plugstack.conf").content_string
    )


def test_each_user_has_folders_of_the_node(host):
    assert host.check_output("su nobody -s /bin/sh -c 'enroot version'") == "4.1.2"
    folder = host.file(f"/local/enroot/{host.check_output('id -u nobody')}/data")
    assert folder.is_directory
    assert (folder.user, folder.mode) == ("nobody", 0o700)
    assert host.file("/etc/enroot/hooks.d/50-slurm-pmi.sh").exists
