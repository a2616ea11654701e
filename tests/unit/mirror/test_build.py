"""What nobody packages, built from a pinned source by real compilers and packagers, and taken into the mirror by a sync."""

import fnmatch
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from datetime import UTC, datetime

import pytest
import yaml

from rackwright import mirror, upstreams
from rackwright.base.errors import OutsideError, ProblemsError, UsageError
from rackwright.mirror import build, rpm_package
from rackwright.mirror.build import host
from rackwright.mirror.build.host import BuildHost
from rackwright.mirror.build.planning import lacks, plan_builds
from rackwright.mirror.signature import Ring
from rackwright.model.software import Software

from . import conftest

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
DEBIAN, ROCKY = BuildHost("debian-12", "x86_64"), BuildHost("rocky-9", "x86_64")
BILL = {"nccl_tests": "2.17.8", "cuda": "13.0"}
SOURCE = {
    "Makefile": "all_reduce_perf: perf.c\n\tcc -O2 -g -Wno-date-time -o $@ $<\n",
    "perf.c": '#include <math.h>\n#include <stdio.h>\nint main(void) { printf("%s\\n", __DATE__); return 0; }\n',
}
RECIPE = {
    "name": "nccl-tests",
    "for": "nccl_tests",
    "what": "a small program",
    "release": "1+cuda{cuda_minor}",
    "folder": "perf",
    "os": {"debian-12": {"target": "all_reduce_perf"}, "rocky-9": {"target": "all_reduce_perf"}},
    "steps": [["make", "{target}"]],
    "packages": {
        "nccl-tests": {
            "summary": "tests",
            "depends": {"dpkg": [], "rpm": []},
            "files": {"/usr/bin/all_reduce_perf": "all_reduce_perf"},
        }
    },
    "needs": [{"program": "make", "packages": {"dpkg": "make", "rpm": "make"}}],
    "source": "a test",
    "date": "2026-11-26",
}


class Yard:
    """A build host of a test: an archive, recipes, a mirror to fill."""

    def __init__(self, folder, gpg):
        self.folder = folder
        self.to = folder / "mirror"
        self.gpg = gpg
        self.files = folder / "files"
        self.files.mkdir()
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, text in SOURCE.items():
                member = tarfile.TarInfo(f"perf/{name}")
                member.size, member.mtime = len(text), 1750000000
                archive.addfile(member, io.BytesIO(text.encode()))
        data = gzip.compress(packed.getvalue(), mtime=0)
        (self.files / "nccl-tests-2.17.8.tar.gz").write_bytes(data)
        self.digest = hashlib.sha256(data).hexdigest()

    def recipes(self, **changes):
        path = self.folder / "recipes.yaml"
        recipe = {**RECIPE, "versions": {"2.17.8": self.digest}, **changes}
        path.write_text(yaml.safe_dump({"recipes": [recipe]}))
        return build.load_recipes(path)

    def groups(self, os, bill=BILL, pools=None):
        software = Software(apt_mirror="http://mirror.site/apt", **bill, pools=pools or {})
        names = ["train", *(pools or {})]
        required = [conftest.software("nccl-tests", "2.17.8-*", os=os, pool=pool) for pool in names]
        return mirror.group_required(required, software.bill)

    def build(self, on=DEBIAN, to=None, groups=None, **changes):
        no_upstreams = mirror.Upstreams(upstreams=[], files=[])
        options = build.BuildOptions(to or self.to, self.recipes(**changes), no_upstreams, self.files, self.sign_key)
        return build.build_mirror(groups or self.groups(on.os), on, options, lambda *_event: None, NOW)

    sign_key = ""

    def packages(self, to=None):
        return {path.name: path.read_bytes() for path in (to or self.to).glob(".sync/built/*/*/packages/*")}

    def sync(self, os, *, upgrade=False):
        here = [entry for entry in upstreams.load_upstreams().upstreams if entry.name == "built"]
        sources, keys = build.with_built(mirror.Upstreams(upstreams=here), self.to)
        order = mirror.SyncOptions(self.to, sources, keys, upgrade=upgrade)
        software = Software(apt_mirror="http://mirror.site/apt", **BILL)
        return mirror.sync_mirror("lab", software, self.groups(os), order, lambda *_event: None, NOW)


@pytest.fixture
def yard(tmp_path, gpg, monkeypatch):
    place = Yard(tmp_path, gpg)
    monkeypatch.setenv("GNUPGHOME", str(gpg.home))
    place.sign_key = gpg.prints["vendor"]
    return place


def refusals(yard, **more):
    with pytest.raises(ProblemsError) as caught:
        yard.build(**more)
    assert not yard.to.exists(), "nothing has started"
    return caught.value.problems


def test_a_deb_is_built_once_and_taken_in_by_a_sync(yard):
    result = yard.build()
    name = "nccl-tests_2.17.8-1+cuda13.0_amd64.deb"
    assert result.built == {"nccl-tests 2.17.8": [name]}
    before = yard.packages()
    assert yard.build().kept == ("nccl-tests 2.17.8",)
    assert yard.packages() == before
    yard.sync("debian-12")
    listed = json.loads((yard.to / "mirror.lock.json").read_text())["artifacts"]
    (artifact,) = [entry for entry in listed if entry["kind"] == "package"]
    assert (artifact["upstream"], artifact["fingerprint"]) == ("built", yard.gpg.prints["vendor"])
    control = subprocess.run(["dpkg-deb", "--info", str(yard.to / artifact["path"])], capture_output=True, text=True, check=True).stdout  # fmt: skip
    assert "Depends: libc6 (>= " in control
    assert mirror.verify_mirror(yard.to, (), None, lambda *_event: None).problems == ()


def test_before_anything_is_built_a_sync_misses_the_package_and_not_the_upstream(yard):
    with pytest.raises(ProblemsError) as caught:
        yard.sync("debian-12")
    (problem,) = caught.value.problems
    assert (problem.code, problem.expected) == ("mirror.not_carried", "nccl-tests 2.17.8-*")
    assert "`rackwright mirror build`" in problem.next_step


def test_a_mirror_that_has_the_packages_says_nothing_of_a_build_that_is_gone(yard):
    yard.build()
    yard.sync("debian-12")
    shutil.rmtree(yard.to / ".sync/built")
    result = yard.sync("debian-12", upgrade=True)
    assert result.unread == {}
    assert [entry.name for entry in result.artifacts if entry.kind == "package"] == ["nccl-tests"]


def test_equal_inputs_make_equal_packages(yard, tmp_path):
    yard.build()
    yard.build(to=tmp_path / "other")
    assert yard.packages() == yard.packages(tmp_path / "other")
    record = json.loads(next(yard.to.glob(".sync/built/*/*/built.json")).read_text())
    assert record[0]["source_sha256"] == yard.digest


@pytest.mark.parametrize("on", [DEBIAN, ROCKY], ids=["deb", "rpm"])
def test_a_library_of_the_driver_is_no_need_of_the_package(yard, on):
    """The program is linked with a stub, as on a build host without a driver."""
    stub = [
        "sh",
        "-c",
        "echo 'int drive(void) { return 0; }' | cc -shared -Wl,-soname,libdriver.so.1 -o libdriver.so -xc -",
    ]
    link = [
        "sh",
        "-c",
        "echo 'int drive(void); int main(void) { return drive(); }' | cc -o all_reduce_perf -xc - -L. -ldriver",
    ]
    place = yard.to / ".sync/build/nccl-tests/source/perf/libdriver.so"
    yard.build(on, steps=[stub, link], driver_libraries={"libdriver.so.1": str(place)})
    (path,) = yard.to.glob(".sync/built/*/*/packages/*")
    query = ["rpm", "-qpR"] if on is ROCKY else ["dpkg-deb", "--field"]
    needs = subprocess.run([*query, str(path)], capture_output=True, text=True, check=True).stdout
    assert "libc" in needs
    assert "driver" not in needs


def test_another_recipe_is_another_build(yard):
    yard.build()
    assert yard.build(release="2").built == {"nccl-tests 2.17.8": ["nccl-tests_2.17.8-2_amd64.deb"]}
    assert list(yard.packages()) == ["nccl-tests_2.17.8-2_amd64.deb"]


def test_an_rpm_is_signed_and_taken_in_by_a_sync(yard):
    yard.build(ROCKY)
    (path,) = yard.to.glob(".sync/built/rocky-9/amd64/packages/*.rpm")
    assert path.name == "nccl-tests-2.17.8-1+cuda13.0.x86_64.rpm"
    assert rpm_package.signer(path, Ring(yard.gpg.public("vendor"))) == yard.gpg.prints["vendor"]
    yard.sync("rocky-9")
    assert list(yard.to.glob("rpm/rocky-9/x86_64/built/*.rpm"))
    assert mirror.verify_mirror(yard.to, (), None, lambda *_event: None).problems == ()


def test_all_that_the_host_lacks_is_said_before_anything_starts(yard):
    needs = [
        {"program": "no-such-nvcc", "version": "{cuda_minor}", "packages": {"dpkg": "cuda-nvcc-13-0"}},
        {"program": "make", "pattern": r"GNU Make (\d+)", "version": "{cuda_minor}", "packages": {"dpkg": "make"}},
        {"packages": {"dpkg": "no-such-package"}},
    ]
    wrong_version, program, package = refusals(yard, needs=needs)
    assert (wrong_version.message, wrong_version.expected) == ("the build host has another make", "make 13.0")
    assert (program.message, program.expected, program.found) == (
        "the build host lacks no-such-nvcc",
        "no-such-nvcc 13.0",
        "none",
    )
    assert "apt-get install cuda-nvcc-13-0" in program.next_step
    assert package.message == "the build host lacks no-such-package"


def test_what_is_built_needs_nothing_of_the_host_any_more(yard, monkeypatch):
    yard.build()
    monkeypatch.setattr(
        "rackwright.mirror.build.host.lack", lambda *_words: pytest.fail("asked for a build that is there")
    )
    assert yard.build().kept == ("nccl-tests 2.17.8",)


def test_a_version_without_a_digest(yard):
    (problem,) = refusals(yard, groups=yard.groups("debian-12", {"nccl_tests": "2.99.0", "cuda": "13.0"}))
    assert (problem.path, problem.expected, problem.found) == ("software.nccl_tests", "2.17.8", "2.99.0")


def test_a_version_of_the_distribution_is_not_built(yard):
    groups = yard.groups("debian-12", {"nccl_tests": "2.17.8+ds", "cuda": "13.0"})
    assert yard.build(groups=groups, distribution="*+ds") == build.BuildResult(
        {}, (), yard.to / ".sync/built/debian-12/amd64"
    )


def test_a_bill_without_what_the_recipe_needs(yard):
    (problem,) = refusals(yard, groups=yard.groups("debian-12", {"nccl_tests": "2.17.8"}))
    assert problem.path == "software.cuda"


def test_a_word_that_there_is_not(yard):
    (problem,) = refusals(yard, steps=[["make", "{targets}"]])
    assert (problem.message, problem.found) == ("the recipe uses a word that there is not", "{targets}")


def test_a_cuda_that_the_recipe_does_not_know(yard):
    (problem,) = refusals(yard, by_cuda_major={"12": {}})
    assert (problem.expected, problem.found) == ("12", "13.0")


def test_pools_that_differ_in_what_the_package_is_built_for(yard):
    (problem,) = refusals(yard, groups=yard.groups("debian-12", pools={"old": {"cuda": "12.8"}}))
    assert "cuda_minor: 13.0 and 12.8" in problem.found


@pytest.mark.parametrize(
    ("release", "os", "packager"),
    [
        ({"ID": "debian", "VERSION_ID": "12"}, "debian-12", "dpkg"),
        ({"ID": "ubuntu", "VERSION_ID": "24.04"}, "ubuntu-24.04", "dpkg"),
        ({"ID": "rocky", "VERSION_ID": "9.6"}, "rocky-9", "rpm"),
        ({}, "-", "dpkg"),
    ],
)
def test_which_host_this_is(monkeypatch, release, os, packager):
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: release)
    here = host.this_host()
    assert (here.os, here.packager) == (os, packager)


def test_a_host_of_another_kind(yard):
    with pytest.raises(
        UsageError, match="this host has debian-12 on x86_64, and the nodes of the site rocky-9 on amd64"
    ):
        yard.build(groups=yard.groups("rocky-9"))


def test_a_source_with_another_digest(yard):
    (yard.files / "nccl-tests-2.17.8.tar.gz").write_bytes(b"another")
    with pytest.raises(ProblemsError) as caught:
        yard.build()
    assert caught.value.problems[0].code == "mirror.wrong_digest"
    assert yard.packages() == {}


def test_a_source_that_nobody_knows(yard):
    (yard.files / "nccl-tests-2.17.8.tar.gz").unlink()
    (problem,) = refusals(yard)
    assert problem.code == "mirror.by_hand"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"steps": [["make", "no-such-target"]]}, "No rule to make target"),
        ({"steps": [["no-such-program"]]}, "`no-such-program` does not start"),
        ({"folder": "elsewhere"}, "has no folder elsewhere"),
        ({"steps": [["true"]]}, "the build made no all_reduce_perf"),
        ({"packages": {}, "collect": {"packages": ["nccl-tests"], "files": "*.deb"}}, "its packaging made no nccl-tests"),
    ],
)  # fmt: skip
def test_a_build_that_fails_publishes_nothing(yard, changes, says):
    with pytest.raises(OutsideError, match=says):
        yard.build(**changes)
    assert yard.packages() == {}


def test_a_step_sees_nothing_of_the_user(yard, monkeypatch):
    monkeypatch.setenv("CFLAGS", "-DSURPRISE")
    yard.build(steps=[["sh", "-c", "env > environment"], ["make", "{target}"]])
    printed = (yard.to / ".sync/build/nccl-tests/source/perf/environment").read_text()
    assert "SURPRISE" not in printed
    assert "SOURCE_DATE_EPOCH=1750000000" in printed


@pytest.mark.parametrize("os", ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9", "almalinux-9"])
def test_the_recipes_of_rackwright_are_whole(yard, os):
    """Every word is known, and each makes what the upstream `built` is the place for."""
    recipes = build.load_recipes()
    bill = {
        "cuda": "12.8",
        "nccl": "2.30.4",
        "nccl_tests": "2.17.8",
        "nvbandwidth": "0.9",
        "gdrcopy": "2.6",
        "slurm": "25.11.4",
        "pyxis": "0.24.0",
    }
    builds, problems = plan_builds(recipes, yard.groups(os, bill), BuildHost(os, "x86_64"))
    assert [entry.recipe.name for entry in builds] == ["nccl-tests", "nvbandwidth", "gdrcopy", "slurm", "pyxis"]
    assert problems == []
    for entry in builds:
        recipe = entry.recipe
        texts = [word for step in recipe.steps for word in step]
        texts += [*recipe.environment.values(), *recipe.driver_libraries.values()]
        assert all(entry.fill(text) or text == "{rpath}" for text in texts)
    places = [entry for entry in upstreams.load_upstreams().upstreams if entry.name == "built" and os in entry.os]
    patterns = [name for place in places for name in place.packages]
    makes = [name for entry in builds for name in entry.recipe.makes]
    assert all(upstreams.match_length(patterns, name) for name in makes)
    assert all(fnmatch.filter(makes, pattern) for pattern in patterns)


@pytest.mark.parametrize(
    ("os", "slurm", "release", "headers"),
    [
        ("debian-12", "", "1+slurm22.05.8", "libslurm-dev"),
        ("ubuntu-24.04", "", "1+slurm23.11.4", "libslurm-dev"),
        ("rocky-9", "", "1+slurm22.05.9", "slurm-devel"),
        ("debian-12", "25.11.4", "1+slurm25.11.4", "slurm-smd-dev"),
    ],
)
def test_pyxis_is_built_for_the_slurm_of_the_site(yard, monkeypatch, os, slurm, release, headers):
    monkeypatch.setattr(host, "_package_version", lambda *_args: None)
    recipes, build_host = build.load_recipes().only(["pyxis"]), BuildHost(os, "x86_64")
    builds, problems = plan_builds(recipes, yard.groups(os, {"slurm": slurm, "pyxis": "0.24.0"}), build_host)
    assert problems == []
    assert [entry.words["release"] for entry in builds] == [release]
    assert f"the build host lacks {headers}" in [problem.message for problem in lacks(recipes, builds, build_host)]


def test_one_recipe_is_asked_for_by_a_name_that_there_is():
    assert {recipe.name for recipe in build.load_recipes().only(["slurm"]).recipes} == {"slurm"}
    with pytest.raises(UsageError, match="there are gdrcopy, nccl-tests, nvbandwidth, pyxis, slurm"):
        build.load_recipes().only(["slurn"])
