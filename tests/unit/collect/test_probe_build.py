import ast
import os
import subprocess
import sys
import zipfile
from importlib import metadata

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import probe_build

OLDEST_PYTHON = (3, 8)


def test_the_name_says_the_content(tmp_path):
    first = probe_build.build_probe(tmp_path / "a")
    again = probe_build.build_probe(tmp_path / "b")
    assert first.name == again.name
    assert first.read_bytes() == again.read_bytes()


def test_bytes_do_not_depend_on_hash_seed_or_time_zone(tmp_path):
    program = f"from pathlib import Path; from rackwright.collect import probe_build; probe_build.build_probe(Path({str(tmp_path)!r}))"
    for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        [built] = tmp_path.glob("*.pyz")
        built.rename(tmp_path / f"{zone.replace('/', '-')}.kept")
    archives = [path.read_bytes() for path in tmp_path.glob("*.kept")]
    assert len(archives) == 2
    assert archives[0] == archives[1]


def test_a_second_build_leaves_the_file_alone(tmp_path):
    before = probe_build.build_probe(tmp_path).stat().st_mtime_ns
    assert probe_build.build_probe(tmp_path).stat().st_mtime_ns == before


def test_another_source_is_another_name(tmp_path, monkeypatch):
    before = probe_build.build_probe(tmp_path)
    monkeypatch.setattr(probe_build, "LAUNCHER", probe_build.LAUNCHER + "# changed\n")
    assert probe_build.build_probe(tmp_path) != before


def test_every_file_is_python_that_an_old_node_can_read(tmp_path):
    with zipfile.ZipFile(probe_build.build_probe(tmp_path)) as archive:
        names = archive.namelist()
        for name in names:
            ast.parse(archive.read(name), filename=name, feature_version=OLDEST_PYTHON)
    assert {"__main__.py", "pynvml.py", "rackwright_probe/command.py"} <= set(names)


def test_it_carries_the_real_binding(tmp_path):
    binding = metadata.distribution("nvidia-ml-py")
    with zipfile.ZipFile(probe_build.build_probe(tmp_path)) as archive:
        assert archive.read("pynvml.py") == binding.locate_file("pynvml.py").read_bytes()
        assert binding.version in archive.read("rackwright_probe/built.py").decode()


def test_a_missing_binding_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(probe_build, "BINDING", "no-such-binding")
    with pytest.raises(OutsideError, match="install the package no-such-binding"):
        probe_build.build_probe(tmp_path)
