"""Containers of Slurm jobs: enroot from the files of its release, pyxis for the Slurm of the site, folders that no other user can prepare."""

import os
import subprocess

import pytest

from tests.unit.roles.conftest import SYSTEMS

OPTIONS = {
    "slurm_containers_enroot": "4.1.2",
    "slurm_containers_pyxis": "0.24.0",
    "slurm_containers_file_mirror": "http://mirror.site/apt",
}
PATHS = {"debian": "/usr/lib/x86_64-linux-gnu/slurm/spank_pyxis.so", "redhat": "/usr/lib64/slurm/spank_pyxis.so"}
ENROOT = {
    "debian": ["enroot_4.1.2-1_amd64.deb", "enroot+caps_4.1.2-1_amd64.deb"],
    "redhat": ["enroot-4.1.2-1.el8.x86_64.rpm", "enroot+caps-4.1.2-1.el8.x86_64.rpm"],
}


@pytest.mark.parametrize("os_name", SYSTEMS)
def test_enroot_comes_from_its_release_and_pyxis_from_a_build(declared, os_name):
    role = declared("slurm_containers", os=os_name, **OPTIONS)
    family = SYSTEMS[os_name]["family"]
    assert role.refused == ""
    assert [entry["url"].rsplit("/", 1)[1] for entry in role.sections["downloads"]] == ENROOT[family]
    assert role.packages["nvslurm-plugin-pyxis"] == "0.24.0-*"
    assert f"required {PATHS[family]}" in role.files["/etc/slurm/plugstack.conf"].splitlines()
    assert "pyxis 0.24.0" in role.files["/etc/slurm/plugstack.conf"], "another release of pyxis starts slurmd again"


def test_another_slurm_brings_another_build_of_pyxis(declared):
    role = declared("slurm_containers", slurm_config_smd="25.11.4", **OPTIONS)
    assert role.packages["nvslurm-plugin-pyxis"] == "0.24.0-*+slurm25.11.4"


def test_settings_of_the_site_reach_both(declared):
    further = {
        "slurm_containers_pyxis_settings": {"container_scope": "job", "execute_entrypoint": "true"},
        "slurm_containers_enroot_settings": {"ENROOT_SQUASH_OPTIONS": "-noI -noD"},
        "slurm_containers_storage": "/local/enroot",
    }
    files = declared("slurm_containers", **OPTIONS, **further).files
    assert (
        files["/etc/slurm/plugstack.conf"]
        .rstrip()
        .endswith("spank_pyxis.so container_scope=job execute_entrypoint=true")
    )
    conf = files["/etc/enroot/enroot.conf.d/90-rackwright.conf"]
    assert "ENROOT_SQUASH_OPTIONS -noI -noD" in conf
    assert "ENROOT_DATA_PATH $(/usr/local/bin/rackwright-enroot-folder /local/enroot data)" in conf


def folder_of(script, base, *words):
    done = subprocess.run(["sh", script, base, *words], capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_a_folder_that_another_user_has_prepared_is_not_taken(declared, tmp_path):
    script = tmp_path / "folder"
    script.write_text(declared("slurm_containers", **OPTIONS).files["/usr/local/bin/rackwright-enroot-folder"])
    base = tmp_path / "base"
    base.mkdir()
    folder = base / str(os.getuid())
    assert folder_of(script, base, "data") == (f"{folder}/data", "")
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.rmdir()
    folder.symlink_to(tmp_path)
    path, error = folder_of(script, base)
    assert path.startswith("/proc/")
    assert "another user's" in error
