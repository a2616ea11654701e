"""The verb ``mirror``: what it prints, its data for scripts, and its exit codes."""

import hashlib
import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.mirror.build.host import BuildHost

_spec = importlib.util.spec_from_file_location("mirror_bench", Path(__file__).parents[2] / "mirror" / "conftest.py")
_bench = importlib.util.module_from_spec(_spec)
sys.modules["mirror_bench"] = _bench
_spec.loader.exec_module(_bench)

serve, gpg, debs, repository, bench = _bench.serve, _bench.gpg, _bench.debs, _bench.repository, _bench.bench
SITE = str(Path(__file__).parents[4] / "inventories" / "h100-pod" / "site.yaml")


@pytest.fixture
def run(bench, monkeypatch, capsys, tmp_path):
    """run(arguments) -> exit code and what was printed; the nodes ask for what the bench asks for. A sync writes beside the site file."""
    copy = tmp_path / "site" / "site.yaml"
    copy.parent.mkdir()
    copy.write_text(Path(SITE).read_text())
    monkeypatch.setattr("rackwright.onboard.required_software.required_software", lambda _design: bench.asked)
    bench.upstreams()

    def call(*arguments):
        code = main(["mirror", *(str(copy if argument == SITE else argument) for argument in arguments)])
        return code, capsys.readouterr()

    return call


def options(bench):
    return ["--to", bench.to, "--upstreams", bench.folder / "upstreams.yaml", "--key", f"vendor={bench.key}"]


def key_digest(bench):
    return hashlib.sha256((Path(bench.to) / "rackwright-mirror.asc").read_bytes()).hexdigest()


def test_plan_says_what_from_where(run, bench):
    code, printed = run("plan", SITE, "--upstreams", bench.folder / "upstreams.yaml")
    assert code == 0
    assert "train on debian-12 (amd64)" in printed.out
    assert "driver" in printed.out
    assert f"upstream vendor (debian-12, amd64): {bench.url}" in printed.out
    assert "1 item is required" in printed.out
    assert "pinned where present" in printed.out
    things = printed.out.partition("upstream ")[0].splitlines()
    assert max(map(len, things)) <= 80, "one thing per line, whole on a terminal"


def test_sync_then_plan_then_verify(run, bench):
    code, printed = run("sync", SITE, *options(bench))
    assert code == 0
    assert "4 fetched" in printed.out
    assert f"key pinned in site.lock.json beside the site file: sha256:{key_digest(bench)}" in printed.out
    assert "not mirrored, because no upstream carries it: libc6 (>= 2.36)" in printed.out
    code, printed = run(
        "plan", SITE, "--to", bench.to, "--upstreams", bench.folder / "upstreams.yaml", "--format", "json"
    )
    assert code == 0
    data = json.loads(printed.out)
    assert data["missing"] == 0
    assert [line["state"] for line in data["lines"]] == ["present", "pin"]
    code, printed = run("verify", bench.to, "--site", SITE)
    assert code == 0
    assert "all as the lock says" in printed.out
    code, printed = run("sync", SITE, *options(bench))
    assert code == 0
    assert "nothing changed" in printed.out


def test_sync_as_data(run, bench):
    code, printed = run("sync", SITE, *options(bench), "--format", "json")
    assert code == 0
    data = json.loads(printed.out)
    assert data["changed"]
    assert data["fetched"] == 4
    assert data["left"] == {"libc6 (>= 2.36)": "lib"}
    assert printed.err == ""


def test_another_place_for_an_upstream(run, bench, serve):
    moved = serve(bench.repository.root)
    bench.server.stop()
    bench.server.stop = lambda: None
    code, _ = run("sync", SITE, *options(bench), "--upstream", f"vendor={moved.url} stable main")
    assert code == 0
    assert moved.asked


def test_problems_are_one_list(run, bench):
    bench.repository.build(signer="old")
    code, printed = run("sync", SITE, *options(bench), "--format", "json")
    assert code == 1
    (problem,) = json.loads(printed.out)["problems"]
    assert problem["code"] == "mirror.not_trusted"
    run("sync", SITE, *options(bench))
    bench.repository.build()
    run("sync", SITE, *options(bench))
    next(bench.to.glob("pool/*/*/*.deb")).unlink()
    code, printed = run("verify", bench.to, "--format", "json")
    assert code == 1
    assert json.loads(printed.out)["problems"][0]["message"] == "the file is missing"
    code, printed = run("verify", bench.to)
    assert code == 1
    assert "rackwright: 1 problem found" in printed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--upstream", "nosuch=http://x"], "no such upstream; there are vendor"),
        (["--upstream", "vendor"], "write NAME=VALUE"),
        (["--key", "nosuch=/x"], "no such upstream"),
        (["--key", "vendor=/no/such/file"], "No such file"),
        (["--jobs", "0"], "give 1 to 64"),
        (["--files", "/no/such/folder"], "no such folder"),
        (["--upstreams", "/no/such/file"], "No such file"),
    ],
)
def test_wrong_usage(run, bench, arguments, message):
    code, printed = run("sync", SITE, *options(bench), *arguments)
    assert code == 2
    assert message in printed.err


def test_a_file_of_upstreams_that_is_none(run, bench):
    path = bench.folder / "odd.yaml"
    path.write_text("upstreams: [{name: x}]")
    code, printed = run("plan", SITE, "--upstreams", path)
    assert code == 1
    assert f"{path}:1: upstreams[0].architecture: refused" in printed.err


def test_a_folder_that_is_no_mirror(run, tmp_path):
    code, printed = run("verify", tmp_path)
    assert code == 2
    assert "is no mirror" in printed.err


def test_a_key_that_gpg_does_not_know_is_said_before_anything_is_fetched(run, bench):
    code, printed = run("sync", SITE, *options(bench), "--sign-key", "nobody@nowhere.example")
    assert code == 2
    assert "--sign-key nobody@nowhere.example: gpg knows no such key" in printed.err
    assert "reading" not in printed.err


def test_plan_lists_charts_by_digest(run, bench, tmp_path):
    data = yaml_text.load((Path(__file__).parents[4] / "inventories" / "mixed-pod" / "site.yaml").read_text())
    data["control"]["kubernetes"]["addons"] = {
        "kueue": {"version": "0.15.0"},
        "volcano": {"version": "1.15.0"},
        "jobset": {"version": "0.10.1"},
        "kuberay": {"version": "1.4.2", "enabled": False},
        "spegel": {"version": "0.7.4"},
    }
    site = tmp_path / "site.yaml"
    site.write_text(yaml.safe_dump(data))
    code, printed = run("plan", site, "--upstreams", bench.folder / "upstreams.yaml")
    assert code == 0, printed.err
    digest = "sha256:2dd37565917a9b9929385ab4d1f6561cb04d104a993285dab266df1d6644bb3b"
    untried = "no release of its Go module that could be fetched has it (2026-11-26)"
    undigested = "no public source that could be read names its digest"
    assert printed.out.splitlines()[-5:-1] == [
        f"chart jobset 0.10.1 from oci://registry.k8s.io/jobset/charts ({undigested})",
        "chart of kueue 0.15.0: rackwright pins another release, and knows no digest of it",
        f"chart spegel 0.7.4 from oci://ghcr.io/spegel-org/helm-charts ({undigested}; unproven: {untried})",
        f"chart volcano 1.15.0 from https://volcano-sh.github.io/helm-charts ({digest})",
    ]
    _, printed = run("plan", site, "--upstreams", bench.folder / "upstreams.yaml", "--format", "json")
    assert json.loads(printed.out)["charts"][1] == {"name": "kueue", "version": "0.15.0"}


def test_build_says_what_it_made_and_what_the_host_lacks(run, bench, monkeypatch, tmp_path):
    monkeypatch.setattr("rackwright.mirror.build.host.this_host", lambda: BuildHost("debian-12", "x86_64"))
    recipe = {"name": "small", "what": "a file", "folder": "small", "os": {"debian-12": {}}, "steps": [["true"]], "source": "a test", "date": "2026-11-26"}  # fmt: skip
    recipe["packages"] = {"small": {"summary": "a file", "files": {"/usr/share/small": "small"}}}
    (tmp_path / "small").mkdir()
    (tmp_path / "small/small").write_text("1")
    archive = Path(shutil.make_archive(str(tmp_path / "small-1"), "gztar", tmp_path, "small"))
    recipes = tmp_path / "recipes.yaml"
    recipes.write_text(
        yaml.safe_dump({"recipes": [recipe | {"versions": {"1": hashlib.sha256(archive.read_bytes()).hexdigest()}}]})
    )
    words = [
        "--to",
        str(bench.to),
        "--recipes",
        str(recipes),
        "--files",
        str(tmp_path),
        "--upstreams",
        str(bench.folder / "upstreams.yaml"),
    ]
    code, printed = run("build", SITE, *words)
    assert code == 0
    assert "built small 1: small_1-1_amd64.deb" in printed.out
    code, printed = run("build", SITE, *words, "--format", "json")
    assert json.loads(printed.out)["kept"] == ["small 1"]
    recipe["needs"] = [{"program": "no-such-program", "packages": {"dpkg": "some-package"}}]
    recipes.write_text(yaml.safe_dump({"recipes": [recipe | {"versions": {"1": "0" * 64}}]}))
    code, printed = run("build", SITE, *words)
    assert code == 1
    assert "apt-get install some-package" in printed.err
    code, printed = run("build", SITE, "--to", str(bench.to), "--recipes", str(tmp_path / "none.yaml"))
    assert code == 2
    assert "No such file" in printed.err
